import type { Operation } from '@swim/contracts';
import * as contracts from '@swim/contracts';
import { z } from 'zod';
import { inputShapeOf } from '../router.js';

/** A JSON Schema (draft 2020-12), with the keywords that are read here. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const UNBOUNDED = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
const NUMERIC = ['integer', 'number'];

function namesOf(values: unknown): Map<unknown, string> {
  return new Map(Object.entries(values as Record<string, unknown>).map(([name, value]) => [value, name]));
}

const EXPORTS = namesOf(contracts);

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `SessionAttendanceRecorded` for `session.attendance_recorded`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A reference to a schema of the components. */
export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The name under which the contracts export an operation: `listSessions`. */
export function nameOfOperation(operation: Operation): string {
  const name = EXPORTS.get(operation);
  if (!name) throw new Error(`The contracts do not export ${operation.name}.`);
  return name;
}

// Java has a class `Locale`, with which a generated one would be confused; in Go `NewFamily` is the constructor of `Family`.
const RENAMED = new Map([
  ['Locale', 'Language'],
  ['NewFamily', 'CreatedFamily'],
]);
const renamed = (name: string): string => RENAMED.get(name) ?? name;

/** Name of the schema of an operation's answer: `Session`, or `Availability` of getAvailability if the contract has no name. */
export const nameOfOutput = (operation: Operation): string =>
  renamed(capitalised(EXPORTS.get(operation.output) ?? nameOfOperation(operation).replace(/^get/, '')));

/** Name of the schema of an operation's body: `CreateBookingBody`. */
export const nameOfBody = (operation: Operation): string => `${capitalised(nameOfOperation(operation))}Body`;

/** `SessionStatus` for `SESSION_STATUSES`. */
function singular(constant: string): string {
  const words = constant.replace(/(?<=US)ES$|S$/, '').split('_');
  return renamed(words.map((word) => capitalised(word.toLowerCase())).join(''));
}

/** The lists of values that the contracts export, by their values: the names of enumerations. */
const ENUMERATIONS = new Map(
  [...EXPORTS].flatMap(([list, name]) => (Array.isArray(list) ? [[list.join(), singular(name)] as const] : [])),
);

/** Names of the schemas of texts with these formats. */
const FORMATS = new Map<unknown, string>([
  ['date-time', 'Timestamp'],
  ['date', 'CalendarDate'],
  ['email', 'EmailAddress'],
]);
const ID = /^\^([a-z]+)_\[0-7\]/;
const shared: Record<string, JsonSchema> = {};

/** Schemas of the identifiers, formats and enumerations in all schemas converted so far, by their names in the components. */
export const sharedSchemas = (): Record<string, JsonSchema> => Object.fromEntries(Object.entries(shared).sort());

const objects: Record<string, JsonSchema> = {};

/** Schemas of the objects with a name within all answers converted so far, by their names in the components. */
export const sharedObjects = (): Record<string, JsonSchema> =>
  // A copy by JSON: fields that share a schema share one object until then, and each gets a description of its own.
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(objects).sort())));

/**
 * Replaces the schema of an object within an answer by a reference, where it has a name: its title, or that under which the
 * contracts export it. The document has it once, and generators of clients make one class of it.
 */
function shareObject(name: string | undefined, node: JsonSchema): void {
  if (!name || node.type !== 'object' || !node.properties) return;
  objects[name] ??= { ...node };
  for (const keyword of Object.keys(node)) delete node[keyword];
  Object.assign(node, refTo(name));
}

/** Descriptions of shared schemas that no place has. */
const TEXTS: Readonly<Record<string, JsonSchema>> = {
  Timestamp: {
    description: 'ISO 8601 instant; any UTC offset is taken, answers are in UTC with milliseconds',
    examples: ['2027-03-01T16:00:00.000Z'],
  },
  CalendarDate: { description: 'Calendar date YYYY-MM-DD', examples: ['2027-03-01'] },
  EmailAddress: { description: 'E-mail address', examples: ['mia@example.com'] },
};

/** The keywords that belong to the place of a shared schema, not to the schema. */
const OF_PLACE = ['description', 'default'];

function nameOfShared(node: JsonSchema): string | undefined {
  const prefix = ID.exec(String(node.pattern))?.[1];
  if (prefix) return `id_${prefix}`;
  const format = FORMATS.get(node.format);
  if (format) return format;
  return Array.isArray(node.enum) ? ENUMERATIONS.get(node.enum.join()) : undefined;
}

/**
 * Replaces the schema of an identifier, a format or an enumeration by a reference: the document has each once. An enumeration may have a
 * title, by which it differs from another with the same values.
 */
function share(node: JsonSchema, title: string | undefined): void {
  const name = Array.isArray(node.enum) && title ? title : nameOfShared(node);
  if (!name) return;
  const kept = OF_PLACE.filter((keyword) => node[keyword] !== undefined);
  const placed = Object.fromEntries(kept.map((keyword) => [keyword, node[keyword]]));
  const own = Object.entries(node).filter(([keyword]) => !kept.includes(keyword));
  shared[name] ??= { ...Object.fromEntries(own), ...TEXTS[name] };
  for (const keyword of Object.keys(node)) delete node[keyword];
  Object.assign(node, refTo(name), placed);
}

/** Zod writes a schema that adds a description to a shared one as both: the reference, and its keywords once more. */
function keepOne(node: JsonSchema, title: string | undefined): void {
  if (node.$ref === undefined || node.type === undefined) return;
  const dropped = title ? ['$ref'] : Object.keys(node).filter((keyword) => !['$ref', ...OF_PLACE].includes(keyword));
  for (const keyword of dropped) delete node[keyword];
}

/** Corrects, in place, keywords that zod writes less exactly than the contract. */
function tidy(node: JsonSchema, isAnswer: boolean, title: string | undefined): void {
  keepOne(node, title);
  if (node.minLength === 0) delete node.minLength;
  if (node.format === 'starts_with') delete node.format;
  delete node.reasons;
  delete node.expected;
  delete node.unit;
  // Answers may get more members (additive versions), and always have those with a default.
  if (isAnswer) {
    for (const bound of ['minimum', 'maximum']) if (UNBOUNDED.has(node[bound])) delete node[bound];
    if (node.additionalProperties === false) delete node.additionalProperties;
    delete node.default;
  }
  // Where the schema names its type, the alternatives only describe how a query's text is read.
  if (node.type !== undefined) delete node.anyOf;
  const alternatives = (node.anyOf ?? []) as JsonSchema[];
  const numeric = alternatives.find(({ type }) => NUMERIC.includes(type as string));
  const isNullable = alternatives.some(({ type }) => type === 'null');
  if (numeric && !isNullable && !isAnswer) {
    delete node.anyOf;
    Object.assign(node, numeric);
  }
  share(node, title);
}

/** A schema of the contracts as JSON Schema: of a value that is answered, or of one that is sent. */
export function convert(schema: z.ZodType, isAnswer: boolean): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: isAnswer ? 'output' : 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const { title } = jsonSchema;
      const name = title ?? EXPORTS.get(zodSchema);
      delete jsonSchema.title;
      const { def } = zodSchema._zod as { def: { type: string; defaultValue?: unknown } };
      if (def.type === 'default') jsonSchema.default = structuredClone(def.defaultValue);
      tidy(jsonSchema as JsonSchema, isAnswer, title);
      if (isAnswer && path.length > 0) shareObject(name && renamed(capitalised(name)), jsonSchema as JsonSchema);
    },
  }) as JsonSchema;
  delete json.$schema;
  return json;
}

/** Schema of `data` (of one item, for a list). */
export const answerSchema = (operation: Operation): JsonSchema => convert(operation.output, true);

/** Schema of the body: the input without the path's parameters; of a patch, its `changes`. */
export function bodySchema(operation: Operation, params: readonly string[], isPatch: boolean): JsonSchema {
  const input = convert(operation.input, false);
  if (isPatch) return input.properties!.changes!;
  const properties = Object.fromEntries(Object.entries(input.properties!).filter(([name]) => !params.includes(name)));
  const required = (input.required ?? []).filter((name) => !params.includes(name));
  return { ...input, properties, required };
}

/** The number that a parameter of the query means; the schema of its text where it means none. */
export function meantSchema(operation: Operation, name: string): JsonSchema {
  const schema = inputShapeOf(operation)[name] as z.ZodType;
  const meant = convert(schema, true);
  return NUMERIC.includes(meant.type as string) ? meant : convert(schema, false);
}

/** Whether an input may lack this member. */
export const isOptional = (member: z.core.$ZodType): boolean => member._zod.optin !== undefined;

/** Schemas of the members of an operation's input by their names. */
export function inputSchemas(operation: Operation): Record<string, JsonSchema> {
  const shape = inputShapeOf(operation);
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, convert(schema as z.ZodType, false)]));
}
