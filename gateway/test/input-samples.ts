import type { IdPrefix } from '@swim/contracts';
import { newId } from '@swim/platform';
import type { z } from 'zod';

export type Fields = Record<string, unknown>;
export type Schema = z.core.$ZodType;

const PREFIXES = 'acct key ins mem ses bkg hold pm pay pool wl rfd crd whe dlv msg usr rlog'.split(' ') as IdPrefix[];
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
  'sent',
  '4xx',
  'GET',
  'succeeded',
];
const SOUND = [50, true, false, 5, ...TEXTS];

export const WRONG_TEXTS = [
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
export const WRONG_RECORDS = [
  { '': 'x' },
  { constructor: 'x' },
  { ['k'.repeat(41)]: 'x' },
  Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'x'])),
];
export const WRONG = [
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
export const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;
const accepts = (schema: Schema, value: unknown) => (schema as z.ZodType).safeParse(value).success;

/** The object or array schema at the bottom of a schema, or what else is there. */
export function bare(schema: Schema): Schema {
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

export function soundObjects(shape: Record<string, Schema>, isText: boolean): Fields[] {
  const members = Object.entries(shape).map(([name, schema]) => ({
    name,
    isRequired: schema._zod.optin === undefined,
    values: soundValues(schema, isText),
  }));
  const least = Object.fromEntries(
    members.filter((each) => each.isRequired).map((each) => [each.name, each.values[0]]),
  );
  const all = Object.fromEntries(members.map((each) => [each.name, each.values[0]]));
  const others = Object.fromEntries(members.map((each) => [each.name, each.values.at(-1)]));
  const more = members.flatMap(({ name, values }) => values.map((value) => ({ ...least, [name]: value })));
  return [least, all, others, ...more];
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

export function memberVariants(value: object, wrong: readonly unknown[]): Fields[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...rest } = value as Fields;
    return [rest, ...variants(member, wrong).map((each) => ({ ...value, [name]: each }))];
  });
}
