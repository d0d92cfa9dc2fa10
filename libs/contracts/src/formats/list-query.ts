import { z } from 'zod';
import { addsReasons, expects, type IdPrefix, id, instantOrDate, orRequired, patternOfId } from './formats.js';
import { type Metadata, metadata } from './metadata.js';

/** Texts of one pattern, comma-separated, for the OpenAPI document alone: the transformations say more precisely what is wrong. */
const separated = (pattern: string, most?: number): { pattern: string } => ({
  pattern: `^(?:${pattern})(?:,(?:${pattern}))${most === undefined ? '*' : `{0,${most - 1}}`}$`,
});

/** One or several of these values, comma-separated, as a query parameter (contract, Lists). */
export const several = <V extends string>(values: readonly V[]) =>
  z
    .string()
    .max(4_096, { error: 'invalid_value', abort: true })
    .transform((given, context): V[] => {
      const parts = [...new Set(given.split(','))];
      if (parts.every((part) => (values as readonly string[]).includes(part))) return parts as V[];
      context.addIssue({ code: 'custom', message: 'invalid_value', input: given, params: { allowed: values } });
      return z.NEVER;
    })
    .meta({
      ...addsReasons('invalid_value'),
      ...expects(`one or several, comma-separated, of ${values.join(', ')}`),
      type: 'string',
      'x-items': { type: 'string', enum: values },
      ...separated(values.map((value) => value.replaceAll('.', '\\.').replaceAll('*', '\\*')).join('|')),
      description: `One or several, comma-separated, of: ${values.join(', ')}`,
    });

/** Most identifiers in one parameter of a query. */
export const MOST_IDS = 100;
const MOST_IDS_LENGTH = 4_096;

/** One to `most` identifiers with this prefix, comma-separated, as a query parameter (contract, Lists). */
export const severalIds = (prefix: IdPrefix, most = MOST_IDS) =>
  z
    .string()
    .max(MOST_IDS_LENGTH, { error: 'too_long', abort: true })
    .transform((given, context): string[] => {
      const parts = [...new Set(given.split(','))];
      const isId = (part: string) => id(prefix).safeParse(part).success;
      const reason = parts.length > most ? 'too_long' : parts.every(isId) ? null : 'invalid_id';
      if (reason === null) return parts;
      context.addIssue({ code: 'custom', message: reason, input: parts, params: { max_items: most } });
      return z.NEVER;
    })
    .meta({
      ...addsReasons('invalid_id', 'too_long'),
      ...expects(`ids that begin with ${prefix}_, comma-separated`),
      type: 'string',
      'x-items': { type: 'string' },
      ...separated(patternOfId(prefix), most),
      description: `At most ${most} identifiers with the prefix ${prefix}_, comma-separated: only these are listed`,
    });

/**
 * Filters of every list of objects that change (contract, Lists): by their ids, and by the instant of their latest change, from
 * `updated_from` (inclusive) to `updated_to` (exclusive).
 */
export const changingFilters = (prefix: IdPrefix) => ({
  ids: severalIds(prefix).optional(),
  updated_from: instantOrDate.optional(),
  updated_to: instantOrDate.optional(),
});

/**
 * Filter of every list of objects with metadata (contract, Lists): each `metadata[KEY]=VALUE` of the query, or each member of
 * the JSON object `metadata`, keeps the objects whose metadata has exactly this text at this key.
 */
export const metadataFilter = {
  metadata: metadata
    .meta({
      description: 'A JSON object, or metadata[KEY]=VALUE once or more: only objects with all of these are listed',
    })
    .optional(),
};

/** An integer as the text of a query, or as a number between services. */
const wholeNumber = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^(?:0|-?[1-9]\d{0,14})$/)
      .transform(Number),
  ],
  orRequired,
);

/** An integer of a query that is `out_of_range` beyond these bounds. */
export const boundedInteger = (minimum: number, maximum: number) =>
  wholeNumber
    .pipe(z.int().min(minimum, { error: 'out_of_range' }).max(maximum, { error: 'out_of_range' }))
    .meta({ type: 'integer', minimum, maximum });

/** Whether, as a query parameter. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'], { error: 'invalid_value' }).transform((text) => text === 'true')], {
    error: 'invalid_value',
  })
  .meta({ type: 'boolean' });

// Base64url of a tag of 16 bytes and of a position of one or more (`CursorCodec` in libs/platform).
const CURSOR = '^[A-Za-z0-9_-]{23,}$';
const cursorForm = new RegExp(CURSOR);

/** Query parameters of every list (contract, Lists). They arrive as text and accept digits only. */
export const paging = {
  limit: boundedInteger(1, 100)
    .default(20)
    .meta({ type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Most items of the page' }),
  offset: boundedInteger(0, 10_000)
    .optional()
    .meta({ description: 'Items to leave out before the page; not together with `cursor`' }),
  cursor: z
    .string()
    .max(2048, { error: 'invalid_cursor', abort: true })
    .optional()
    .meta({ pattern: CURSOR, description: '`next_cursor` of the page before' }),
};

/** The filters that lists have in common, as parsed. */
export interface ListFilters {
  ids?: readonly string[] | undefined;
  /** ISO 8601 UTC, inclusive. */
  updated_from?: string | undefined;
  /** ISO 8601 UTC, exclusive. */
  updated_to?: string | undefined;
  metadata?: Metadata | undefined;
}

// `offset` and `cursor` both say where the page begins.
const hasOneStart = ({ cursor, offset }: Record<string, unknown>): boolean =>
  cursor === undefined || offset === undefined;

// A text that no list can have answered is rejected at the gateway, before any service reads for it.
const mayHaveBeenAnswered = ({ cursor, offset }: Record<string, unknown>): boolean =>
  cursor === undefined || offset !== undefined || cursorForm.test(String(cursor));

const RANGES = ['date', 'updated'] as const;

// Instants in UTC, and dates without a time: as texts each sort by time, whatever the time zone of dates is.
const SORTED_LENGTHS = ['2027-03-01T16:00:00.000Z'.length, '2027-03-01'.length];

/** Whether a range's end is not before its start. Of a date and an instant it depends on a time zone: the service decides. */
export const isInOrder =
  (range: (typeof RANGES)[number]) =>
  ({ [`${range}_from`]: from, [`${range}_to`]: to }: Record<string, unknown>): boolean =>
    typeof from !== 'string' ||
    typeof to !== 'string' ||
    from.length !== to.length ||
    !SORTED_LENGTHS.includes(from.length) ||
    to >= from;

/** The error of a range that `isInOrder` rejects. */
export const reversed = (range: (typeof RANGES)[number]) => ({
  error: 'range_reversed',
  path: [`${range}_to`],
  params: { expected: `no earlier than ${range}_from` },
});

/**
 * Declares the query of a list: its filters beside limit, offset and cursor, the last two of which exclude each other. The end
 * of a range may not be before its start.
 */
export const listQuery = <S extends z.ZodRawShape>(filters: S) => {
  const query = z
    .strictObject({ ...filters, ...paging })
    .refine(hasOneStart, { error: 'mutually_exclusive', path: ['cursor'], params: { excludes: 'offset' } })
    .refine(mayHaveBeenAnswered, { error: 'invalid_cursor', path: ['cursor'] });
  const ranges = RANGES.filter((range) => `${range}_to` in filters);
  return ranges.reduce((schema, range) => schema.refine(isInOrder(range), reversed(range)), query);
};
