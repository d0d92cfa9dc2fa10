import { describe, expect, it } from '@jest/globals';
import { addsReasons, BOUND_NAMES, type FieldError, type IdPrefix, id, rpc } from '@swim/contracts';
import { parsedInput } from '@swim/messaging';
import { AppError, newId } from '@swim/platform';
import { z } from 'zod';
import {
  bare,
  definitionOf,
  type Fields,
  memberVariants,
  type Schema,
  soundObjects,
  WRONG,
  WRONG_RECORDS,
  WRONG_TEXTS,
} from '../../../test/fixtures/input-samples.js';
import { checkedInput } from '../../operations/operation-input.js';
import { PAGES } from '../../public-pages.js';
import { type Endpoint, paramsOf, Router } from '../../router.js';
import { ROUTES, type Route } from '../../routes.js';
import { parametersOf } from '../document.js';
import { inputReasons } from './input-reasons.js';
import { reasonsOf } from './responses.js';

const router = new Router(ROUTES, PAGES);

function endpointOf({ method, path }: Route): { endpoint: Endpoint; values: readonly string[] } {
  const filled = path.replace(/\{(\w+?)_id\}/g, (_, name: string) => newId(PREFIX_OF[name]!));
  const match = router.match(method, filled);
  if (match.kind !== 'operation') throw new Error(`${method} ${filled} is no route.`);
  return match;
}
const PREFIX_OF: Record<string, IdPrefix> = {
  account: 'acct',
  booking: 'bkg',
  class: 'cls',
  closure: 'clo',
  connection: 'con',
  credit: 'crd',
  enrollment: 'enr',
  event: 'evt',
  hold: 'hold',
  import: 'imp',
  instructor: 'ins',
  key: 'key',
  lesson: 'lsn',
  member: 'mem',
  payment: 'pay',
  payment_method: 'pm',
  pool: 'pool',
  request_log: 'rlog',
  session: 'ses',
  waitlist: 'wl',
  webhook_delivery: 'dlv',
  webhook_endpoint: 'whe',
};

const fieldsShapeOf = ({ method, path, operation }: Route): Record<string, Schema> => {
  const { shape } = definitionOf(operation.input);
  if (method === 'PATCH') return definitionOf(bare(shape!.changes!)).shape!;
  const params = new Set(paramsOf(path));
  return Object.fromEntries(Object.entries(shape!).filter(([name]) => !params.has(name)));
};

/** Errors of fields with which the gateway's own check rejects what is made of sound inputs of a route, each once. */
function errorsMet(route: Route): FieldError[] {
  const { endpoint, values } = endpointOf(route);
  const isText = route.method === 'GET';
  const wrong = isText ? WRONG_TEXTS : WRONG;
  const met = new Map<string, FieldError>();
  for (const sound of soundObjects(fieldsShapeOf(route), isText)) {
    const tried = [sound, { ...sound, unknown: '1' }, { ...sound, id: 'x' }, ...memberVariants(sound, wrong)];
    for (const fields of [...tried, ...wrongMetadata(sound, isText)])
      for (const error of errorsOf(() => parsedInput(route.operation, checkedInput(endpoint, values, fields), 0)))
        met.set(`${error.field} ${error.reason}`, error);
  }
  return [...met.values()];
}

// The only parameter of a query that is an object.
const wrongMetadata = (query: Fields, isText: boolean): Fields[] =>
  isText && 'metadata' in query ? WRONG_RECORDS.map((metadata) => ({ ...query, metadata })) : [];

function errorsOf(check: () => unknown): FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.errors!;
  }
}

/** Reasons of a value's type, format or range: the schema knows what would be right. */
const OF_SCHEMA = new Set<string>([
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'invalid_id',
  'invalid_json',
  'invalid_date',
  'invalid_phone',
  'offset_required',
  'unknown_timezone',
  'too_small',
  'too_large',
  'too_short',
  'too_long',
  'out_of_range',
]);

/** Whether the message names the field and a member says what would be right; where the schema knows it, the message does too. */
function isClear({ field, reason, message, ...bounds }: FieldError): boolean {
  const namesField = field === 'body' || message.includes(field);
  const hasBound = BOUND_NAMES.some((name) => bounds[name] !== undefined);
  if (!OF_SCHEMA.has(reason)) return namesField && hasBound;
  const says = /^\S+ (?:must be |must have (?:from |at |exactly )|must not be empty)/.test(message);
  // A text of another format was a string already.
  const saysFormat = reason === 'invalid_type' || bounds.expected !== 'a string';
  return namesField && says && saysFormat && hasBound;
}

// Whatever is wrong with the input of a feed is `resource_not_found`.
const checked = ROUTES.filter(({ isFeed }) => !isFeed);
describe.each(checked.map((route) => ({ name: `${route.method} ${route.path}`, route })))('$name', ({ route }) => {
  const errors = errorsMet(route);
  const met = new Set(errors.map(({ reason }) => reason));

  it('documents every reason with which its input is rejected', () => {
    const documented = new Set<string>(reasonsOf(route));
    expect([...met].filter((reason) => !documented.has(reason))).toEqual([]);
  });

  it('documents no reason of its input that nothing brings about', () => {
    expect(inputReasons(route).filter((reason) => !met.has(reason))).toEqual([]);
  });

  it('names the field in each message, and says what it has to be', () => {
    const unclear = errors.filter((error) => !isClear(error));
    expect(unclear.map(({ field, reason, message }) => [field, reason, message])).toEqual([]);
  });
});

describe('a query parameter', () => {
  it('is required where the input schema requires it', () => {
    const input = z.strictObject({
      pool_id: id('pool'),
      at: z.string(),
      limit: z.string().default('1').meta({ description: 'Most items' }),
      to: z.string().optional().meta({ description: 'The end' }),
    });
    const operation = rpc('scheduling.readByQuery', {
      kind: 'read',
      callers: ['gateway'],
      input,
      output: z.object({}),
    });
    const route: Route = {
      method: 'GET',
      path: '/v1/pools/{pool_id}/x',
      operation,
      scope: 'instructors:read',
      status: 200,
    };
    const parameters = parametersOf(route) as { name: string; required?: boolean }[];
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['pool_id', 'at']);
    expect(inputReasons(route)).toEqual(['required']);
  });
});

describe('a schema that adds issues in code', () => {
  const reasonsWith = (member: z.ZodType) => {
    const operation = rpc('scheduling.write', {
      kind: 'write',
      callers: ['gateway'],
      input: z.strictObject({ member: member.optional() }),
      output: z.object({}),
    });
    return inputReasons({ method: 'POST', path: '/v1/writes', operation });
  };
  const refined = z.boolean().superRefine((_, context) => context.addIssue({ code: 'custom', message: 'in_past' }));

  it('has to declare their reasons, which are documented', () => {
    expect(() => reasonsWith(refined)).toThrow('needs `.meta(addsReasons(…))`');
    expect(() => reasonsWith(z.string().transform((_, context) => context.addIssue('in_past')))).toThrow(
      'needs `.meta(addsReasons(…))`',
    );
    expect(reasonsWith(refined.meta(addsReasons('in_past')))).toEqual(['invalid_type', 'in_past']);
  });
});
