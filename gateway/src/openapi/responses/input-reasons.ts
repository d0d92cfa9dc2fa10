import { type Reason, reasonOf } from '@swim/contracts';
import { z } from 'zod';
import { paramsOf } from '../../router.js';
import type { Route } from '../../routes.js';

type Schema = z.core.$ZodType;
type ErrorMap = (issue: { code: string; input: unknown }) => unknown;

interface Check {
  readonly check: string;
  readonly error?: ErrorMap;
  readonly minimum?: number;
}

/** The members of zod's definitions that are read here. */
interface Definition extends Partial<Check> {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly in?: Schema;
  readonly out?: Schema;
  readonly transform?: (...parameters: never[]) => unknown;
}

/**
 * Where a value comes from, which decides what can be wrong with its type: a JSON body, the text of a query, or a text that
 * was converted to a number.
 */
type Source = 'json' | 'text' | 'number';

interface Place {
  readonly source: Source;
  /** Whether the value may be missing where it must not be. */
  readonly isRequired: boolean;
}

/** Texts with which the error maps of the contracts return each of their reasons. */
const WRONG_TEXTS = ['', 'x', '2027-02-30', '2027-02-30T10:00:00Z', '2027-03-01T10:00:00'];
const WRONG_VALUES: Readonly<Record<Source, readonly unknown[]>> = {
  json: [null, ...WRONG_TEXTS],
  text: WRONG_TEXTS,
  number: [Number.NaN],
};

const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

const declaredReasons = (schema: Schema): readonly string[] | undefined =>
  z.globalRegistry.get(schema)?.reasons as readonly string[] | undefined;

/** Reasons of one kind of issue, by what the error maps return for each of these inputs. */
function reasonsOfIssue(issue: object, inputs: readonly unknown[], maps: readonly (ErrorMap | undefined)[]): string[] {
  return inputs.map((input) => {
    const given = { code: '', ...issue, input };
    const message = maps.map((map) => map?.(given)).find((text) => typeof text === 'string') ?? '';
    return reasonOf({ ...given, message } as unknown as z.core.$ZodIssue);
  });
}

const ORIGINS = new Set(['string', 'array']);

function boundReasons(check: Check, { type, error }: Definition, code: 'too_small' | 'too_big', { source }: Place) {
  const origin = ORIGINS.has(type) ? type : 'number';
  return reasonsOfIssue({ code, origin }, WRONG_VALUES[source].slice(0, 1), [check.error, error]);
}

function checkReasons(schema: Schema, check: Check, place: Place): readonly string[] {
  const definition = definitionOf(schema);
  const inputs = WRONG_VALUES[place.source];
  switch (check.check) {
    case 'min_length':
      return check.minimum === 0 ? [] : boundReasons(check, definition, 'too_small', place);
    case 'greater_than':
      return boundReasons(check, definition, 'too_small', place);
    case 'max_length':
    case 'less_than':
      return boundReasons(check, definition, 'too_big', place);
    case 'number_format':
      // No converted text is beyond the safe integers: their patterns admit too few digits.
      if (place.source === 'number') return [];
      return [
        ...boundReasons(check, definition, 'too_small', place),
        ...boundReasons(check, definition, 'too_big', place),
      ];
    case 'string_format':
      return reasonsOfIssue({ code: 'invalid_format' }, WRONG_TEXTS, [check.error, definition.error]);
    case 'custom': {
      if (check.error) return reasonsOfIssue({ code: 'custom' }, inputs, [check.error]);
      const declared = declaredReasons(schema);
      if (!declared) throw new Error('A refinement that names its own issues needs `.meta(addsReasons(…))`.');
      return declared;
    }
    case 'overwrite':
      return [];
    default:
      throw new Error(`The reasons of the check ${check.check} are not known.`);
  }
}

function allCheckReasons(schema: Schema, place: Place): string[] {
  const { check, error, checks = [] } = definitionOf(schema);
  const own = check ? [{ check, ...(error && { error }) }] : [];
  return [...own, ...checks.map(({ _zod }) => _zod.def)].flatMap((each) => checkReasons(schema, each, place));
}

const MATCHING: ReadonlySet<string> = new Set(['text string', 'number number']);

function typeReasons(type: string, error: ErrorMap | undefined, { source, isRequired }: Place): string[] {
  const code = { enum: 'invalid_value', literal: 'invalid_value', union: 'invalid_union' }[type] ?? 'invalid_type';
  const wrong = MATCHING.has(`${source} ${type}`) ? [] : WRONG_VALUES[source];
  return reasonsOfIssue({ code }, isRequired ? [undefined, ...wrong] : wrong, [error]);
}

/** Reasons of the members of an object, but for those that are left out. */
function memberReasons(schema: Schema, source: Source, left: ReadonlySet<string>): string[] {
  const members = Object.entries(definitionOf(schema).shape!).filter(([name]) => !left.has(name));
  return members.flatMap(([, member]) => reasonsOfSchema(member, { source, isRequired: true }));
}

/** An alternative reports reasons of its own only when the value passed it up to its last stage. */
function alternativeReasons(option: Schema, place: Place): readonly string[] {
  const { type, in: first, out } = definitionOf(option);
  if (type !== 'pipe') return MATCHING.has(`${place.source} ${type}`) ? allCheckReasons(option, place) : [];
  return definitionOf(out!).type === 'transform' ? [] : allCheckReasons(out!, afterwards(first!, place));
}

function unionReasons(schema: Schema, place: Place): readonly string[] {
  const { error, options } = definitionOf(schema);
  const own = typeReasons('union', error, place);
  return error ? own : [...own, ...options!.flatMap((option) => alternativeReasons(option, place))];
}

/** The input of the second stage of a pipe. */
function afterwards(first: Schema, { source }: Place): Place {
  const { type, options } = definitionOf(first);
  if (type === 'union' && options!.every(isNumber)) return { source: 'number', isRequired: false };
  if (type !== 'pipe') return { source, isRequired: false };
  return { source: isNumber(first) ? 'number' : 'json', isRequired: false };
}

/** Whether the result of a schema is a number: one that is sent, or a text that is converted. */
function isNumber(schema: Schema): boolean {
  const { type, out } = definitionOf(schema);
  return type === 'number' || (type === 'pipe' && (definitionOf(out!).transform as unknown) === Number);
}

function pipeReasons(schema: Schema, place: Place): readonly string[] {
  const { in: first, out } = definitionOf(schema);
  const { type, transform } = definitionOf(out!);
  const before = reasonsOfSchema(first!, place);
  if (type !== 'transform') return [...before, ...reasonsOfSchema(out!, afterwards(first!, place))];
  // A transformation with a second parameter, the context, can add issues.
  const declared = declaredReasons(schema);
  if (transform!.length > 1 && !declared)
    throw new Error('A transformation that can fail needs `.meta(addsReasons(…))`.');
  return [...before, ...(declared ?? [])];
}

function reasonsOfSchema(schema: Schema, place: Place): readonly string[] {
  const { type, error, innerType, element } = definitionOf(schema);
  switch (type) {
    case 'optional':
    case 'default':
      return reasonsOfSchema(innerType!, { ...place, isRequired: false });
    case 'nullable':
      return reasonsOfSchema(innerType!, place);
    case 'pipe':
      return pipeReasons(schema, place);
    case 'unknown':
      return [];
    case 'record': {
      const own = [...typeReasons(type, error, place), ...allCheckReasons(schema, place)];
      return [...own, ...reasonsOfSchema(definitionOf(schema).valueType!, { ...place, isRequired: false })];
    }
    case 'union':
      return [...unionReasons(schema, place), ...allCheckReasons(schema, place)];
    case 'object':
    case 'array':
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal': {
      const own = [...typeReasons(type, error, place), ...allCheckReasons(schema, place)];
      if (type === 'object') return [...own, 'unknown_field', ...memberReasons(schema, place.source, new Set())];
      return element ? [...own, ...reasonsOfSchema(element, { ...place, isRequired: false })] : own;
    }
    default:
      throw new Error(`The reasons of a schema of the type ${type} are not known.`);
  }
}

/**
 * Reasons with which the contract of a route rejects a query or a body. A parameter of the path has none: what cannot be an
 * identifier is `resource_not_found`.
 */
export function inputReasons({ method, path, operation }: Pick<Route, 'method' | 'path' | 'operation'>): Reason[] {
  const isPatch = method === 'PATCH';
  const fields: Schema = isPatch ? definitionOf(operation.input).shape!.changes! : operation.input;
  const place: Place = { source: method === 'GET' ? 'text' : 'json', isRequired: false };
  const left = new Set(isPatch ? [] : paramsOf(path));
  const reasons = [...allCheckReasons(fields, place), ...memberReasons(fields, place.source, left)];
  if (operation.reads) reasons.push('read_only');
  return [...new Set(reasons)] as Reason[];
}
