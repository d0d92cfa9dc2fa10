import { describe, expect, it } from '@jest/globals';
import { addsReasons, type IdPrefix, id, rpc } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { z } from 'zod';
import { checkedInput } from '../operations/operation-input.js';
import { type Endpoint, paramsOf, Router } from '../router.js';
import { PAGES, ROUTES, type Route } from '../routes.js';
import { parametersOf } from './document.js';
import { inputReasons } from './input-reasons.js';
import { reasonsOf } from './responses.js';

type Fields = Record<string, unknown>;
type Schema = z.core.$ZodType;

const PREFIXES = 'acct key ins mem ses bkg hold pm pay pool wl rfd crd'.split(' ') as IdPrefix[];
const PLACE = { latitude: 52.5, longitude: 13.4, radius: 10 };
/** One text at least for every format of the contracts. */
const TEXTS = [
  'true',
  ...PREFIXES.map((prefix) => newId(prefix)),
  '2027-03-01T16:00:00Z',
  '2027-03-01',
  '2027-03-01T16:00',
  '2027-03',
  'available',
  '50',
  '10:00',
  '12:00',
  '+14155552671',
  'USD',
  'Europe/Berlin',
  'a@example.com',
  'https://example.com',
  '198.51.100.0/24',
  'pm_card_visa',
  'booking.created',
  'succeeded',
  JSON.stringify(PLACE),
  'Baths',
  'Pool',
  'https://baths.example/offers/{waitlist_id}',
  'reviews',
  'scheduled',
  'active',
  'confirmed',
  'waiting',
  'succeeded',
];
const SOUND = [50, true, 5, ...TEXTS];

const WRONG_TEXTS = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1000',
  '99999',
  '1.5',
  'null',
  '{}',
  '{"latitude":99,"longitude":13,"radius":1}',
  '{"latitude":"9","longitude":13}',
  '2020-01-01',
  '2027-02-30',
  '2027-02-30T10:00:00Z',
  '9999-12-31T23:59:00Z',
  '2027-03-01T10:00:00',
  '2027-03-01T10:00:00+99:00',
  'XXX',
  '08:00',
  'home',
  'https://user:password@example.com',
  'a\u0007b',
  'a\nb',
  'a'.repeat(9_000),
];
const WRONG_RECORDS = [
  { '': 'x' },
  { constructor: 'x' },
  { ['k'.repeat(41)]: 'x' },
  Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'x'])),
];
const WRONG = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 60,
  1e9,
  -1e9,
  {},
  { unknown: 1 },
  [],
  [null],
  ...WRONG_RECORDS,
  ...WRONG_TEXTS,
];

interface Definition {
  type: string;
  innerType?: Schema;
  in?: Schema;
  element?: Schema;
  options?: Schema[];
  shape?: Record<string, Schema>;
  entries?: Record<string, string>;
}
const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;
const accepts = (schema: Schema, value: unknown) => (schema as z.ZodType).safeParse(value).success;

/** The object or array schema at the bottom of a schema, or what else is there. */
function bare(schema: Schema): Schema {
  const { innerType, in: first } = definitionOf(schema);
  return innerType || first ? bare((innerType ?? first)!) : schema;
}

/** Sound values of a schema: with its required members only, and with each of the others beside them. */
function soundValues(schema: Schema, isText: boolean): unknown[] {
  const { type, element, shape, entries } = definitionOf(bare(schema));
  const candidates = (): unknown[] => {
    if (type === 'object' && !isText) return soundObjects(shape!, isText);
    if (type === 'array' && !isText) return soundValues(element!, isText).map((value) => [value]);
    if (type === 'record') return [{ crm_id: '4711' }];
    if (entries) return Object.values(entries);
    return isText ? TEXTS : SOUND;
  };
  const sound = candidates().filter((value) => accepts(schema, value));
  if (sound.length === 0) throw new Error(`No sound value of the type ${type}.`);
  return sound.slice(0, type === 'object' ? 6 : 2);
}

function soundObjects(shape: Record<string, Schema>, isText: boolean): Fields[] {
  const members = Object.entries(shape).map(([name, schema]) => ({
    name,
    isRequired: schema._zod.optin === undefined,
    values: soundValues(schema, isText),
  }));
  const least = Object.fromEntries(
    members.filter((each) => each.isRequired).map((each) => [each.name, each.values[0]]),
  );
  const all = Object.fromEntries(members.map((each) => [each.name, each.values[0]]));
  const more = members.flatMap(({ name, values }) => values.map((value) => ({ ...least, [name]: value })));
  return [least, all, ...more];
}

/** Variants of a value in which one thing at any depth is dropped, replaced, repeated, or added. */
function variants(value: unknown, wrong: readonly unknown[]): unknown[] {
  const own = [...wrong];
  if (Array.isArray(value)) {
    own.push(
      Array(400).fill(value[0]),
      [...value, ...value],
      Array.from({ length: 400 }, (_, at) => `${at}`),
    );
    return [...own, ...variants(value[0], wrong).map((first) => [first])];
  }
  if (typeof value !== 'object' || value === null) return own;
  return [...own, { ...value, unknown: 1 }, ...memberVariants(value, wrong)];
}

function memberVariants(value: object, wrong: readonly unknown[]): Fields[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...rest } = value as Fields;
    return [rest, ...variants(member, wrong).map((each) => ({ ...value, [name]: each }))];
  });
}

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
  event: 'evt',
  hold: 'hold',
  instructor: 'ins',
  key: 'key',
  member: 'mem',
  payment: 'pay',
  payment_method: 'pm',
  pool: 'pool',
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

/** Reasons with which the gateway's own check rejects what is made of sound inputs of a route. */
function reasonsMet(route: Route): Set<string> {
  const { endpoint, values } = endpointOf(route);
  const isText = route.method === 'GET';
  const wrong = isText ? WRONG_TEXTS : WRONG;
  const met = new Set<string>();
  for (const sound of soundObjects(fieldsShapeOf(route), isText)) {
    const tried = [sound, { ...sound, unknown: '1' }, ...memberVariants(sound, wrong)];
    for (const fields of [...tried, ...wrongMetadata(sound, isText)])
      for (const reason of reasonsFor(() => checkedInput(endpoint, values, fields))) met.add(reason);
  }
  return met;
}

// The only parameter of a query that is an object.
const wrongMetadata = (query: Fields, isText: boolean): Fields[] =>
  isText && 'metadata' in query ? WRONG_RECORDS.map((metadata) => ({ ...query, metadata })) : [];

function reasonsFor(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { errors } = error.details as { errors?: { reason: string }[] };
    return [error.reason, ...(errors ?? []).map(({ reason }) => reason)];
  }
}

// Whatever is wrong with the input of a feed is `resource_not_found`.
const checked = ROUTES.filter(({ isFeed }) => !isFeed);
describe.each(checked.map((route) => ({ name: `${route.method} ${route.path}`, route })))('$name', ({ route }) => {
  const met = reasonsMet(route);

  it('documents every reason with which its input is rejected', () => {
    const documented = new Set<string>(reasonsOf(route));
    expect([...met].filter((reason) => !documented.has(reason))).toEqual([]);
  });

  it('documents no reason of its input that nothing brings about', () => {
    expect(inputReasons(route).filter((reason) => !met.has(reason))).toEqual([]);
  });
});

describe('a query parameter', () => {
  it('is required where the input schema requires it', () => {
    const input = z.strictObject({
      pool_id: id('pool'),
      at: z.string(),
      limit: z.string().default('1'),
      to: z.string().optional(),
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
