import { z } from 'zod';
import type { Reason } from '../errors/errors.js';

/**
 * Metadata of a schema that adds issues in a transformation or a `superRefine`: their reasons, which nothing else declares. The
 * OpenAPI document lists them.
 */
export const addsReasons = (...reasons: readonly Reason[]) => ({ reasons });

/**
 * Metadata of a schema whose values have a format: what a value has to be, as a noun that completes "must be". The errors of
 * fields state it.
 */
export const expects = (expected: string) => ({ expected });

/** States in the OpenAPI document that an object has exactly one of these members; a refinement of the schema checks it. */
export const hasOneOf = (...names: readonly string[]) => ({ oneOf: names.map((name) => ({ required: [name] })) });

const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{2}[89abr-tv][0-9a-hjkmnp-tv-z]{12}';

/** Prefixes of public identifiers. */
export type IdPrefix =
  | 'acct'
  | 'usr'
  | 'key'
  | 'ins'
  | 'mem'
  | 'con'
  | 'ses'
  | 'lsn'
  | 'cls'
  | 'clo'
  | 'sub'
  | 'imp'
  | 'bkg'
  | 'enr'
  | 'crd'
  | 'hold'
  | 'pm'
  | 'pay'
  | 'rfd'
  | 'evt'
  | 'whe'
  | 'dlv'
  | 'pool'
  | 'rev'
  | 'wl'
  | 'alog'
  | 'rlog'
  | 'usc'
  | 'msg'
  | 'req'
  | 'uss'
  | 'usi'
  | 'ulk'
  | 'inv'
  | 'psk'
  | 'act';

/** Prefixes of the objects whose erasure removes stored answers that contain them: members, and payments for their bookings. */
export const ERASABLE_PREFIXES: readonly IdPrefix[] = ['mem', 'pay'];

const NOUN_OF_IDS: Partial<Record<IdPrefix, string>> = {
  pm: 'the id of a payment method of the account, which begins with pm_; to get one for a token of the payment processor, use POST /v1/accounts/{account_id}/payment-methods',
};

/** The pattern of an id with this prefix, without anchors. */
export const patternOfId = (prefix: IdPrefix): string => `${prefix}_${SUFFIX}`;

/** A TypeID (https://github.com/jetify-com/typeid) of a UUIDv7 with this prefix. */
export const id = (prefix: IdPrefix) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? undefined : 'invalid_id') })
    .regex(new RegExp(`^${patternOfId(prefix)}$`), { error: 'invalid_id' })
    .meta({
      ...expects(NOUN_OF_IDS[prefix] ?? `an id that begins with ${prefix}_`),
      examples: [`${prefix}_01k5zr8q3ve9mbf6w2n0x4ht7c`],
    });

/**
 * A text that is an id with this prefix, in what a service answers: `id` without its validation. The OpenAPI document states the
 * format of a field by its schema alone.
 */
export const idText = (prefix: IdPrefix) => z.string().meta({ pattern: `^${patternOfId(prefix)}$` });

/**
 * How far the clock of an object is ahead of real time: the later of the clocks of its account and its school. Absent where
 * neither was advanced; live data has none.
 */
export const clockOffsetMs = z.int().min(0);

// RFC 3339 section 5.6 with seconds and fraction optional, and the offsets +hhmm and +hh of ISO 8601; a leap second (:60)
// is no instant that JavaScript can hold.
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?([Zz]|[+-]\d\d(?::?\d\d)?)$/;
const NO_OFFSET = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;
const BARE_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

function isRealDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && day >= 1;
}

/** Parses an ISO 8601 timestamp with offset into UTC with milliseconds, or returns the reason of its rejection. */
export function readTimestamp(
  text: string,
): { utc: string } | { reason: 'invalid_format' | 'invalid_date' | 'offset_required' } {
  const match = TIMESTAMP.exec(text);
  if (!match) return { reason: NO_OFFSET.test(text) || BARE_DATE.test(text) ? 'offset_required' : 'invalid_format' };
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (!isRealDate(year!, month!, day!) || hour! > 23 || minute! > 59 || second! > 59) return { reason: 'invalid_date' };
  const offset = match[7]!;
  const [hours, minutes] = [offset.slice(1, 3), offset.slice(-2)];
  if (offset.length > 1 && (Number(hours) > 23 || (offset.length > 3 && Number(minutes) > 59)))
    return { reason: 'invalid_date' };
  const spelledOut = offset.length > 1 ? `${offset[0]}${hours}:${offset.length > 3 ? minutes : '00'}` : offset;
  const instant = new Date((text.slice(0, -offset.length) + spelledOut).toUpperCase());
  const utc = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  return utc.length === 24 ? { utc } : { reason: 'invalid_date' };
}

/** ISO 8601 instant with any UTC offset; becomes UTC with milliseconds and `Z`. Years 0000–9999. */
export const timestamp = z
  .string()
  .max(64, { error: 'invalid_format', abort: true })
  .transform((text, context) => {
    const read = readTimestamp(text);
    if ('utc' in read) return read.utc;
    context.addIssue({ code: 'custom', message: read.reason, input: text });
    return z.NEVER;
  })
  .meta({
    ...addsReasons('invalid_format', 'invalid_date', 'offset_required'),
    ...expects('an instant with its UTC offset, such as 2027-03-01T16:00:00Z or 2027-03-01T17:00:00+01:00'),
    type: 'string',
    format: 'date-time',
    description: 'ISO 8601 instant; any UTC offset is taken, answers are UTC',
  });

/** A text that is an instant in UTC with milliseconds, in what a service answers: `timestamp` without its conversion. */
export const instantText = z.string().meta({ format: 'date-time' });

/** A calendar date `YYYY-MM-DD` that exists. */
export const calendarDate = z
  .string()
  .regex(BARE_DATE, { error: 'invalid_format', abort: true })
  .refine(
    (text) => {
      const [, year, month, day] = BARE_DATE.exec(text)!;
      return isRealDate(Number(year), Number(month), Number(day));
    },
    { error: 'invalid_date', abort: true },
  )
  .meta({
    ...expects('a date that exists, such as 2027-03-01'),
    format: 'date',
    description: 'Calendar date YYYY-MM-DD',
  });

function whyNeither(input: unknown): string {
  if (typeof input !== 'string') return input === undefined ? 'required' : 'invalid_type';
  const read = readTimestamp(input);
  return BARE_DATE.test(input) || !('reason' in read) ? 'invalid_date' : read.reason;
}

const DATE_OR_INSTANT = 'a date, such as 2027-03-01, or an instant with its UTC offset, such as 2027-03-01T16:00:00Z';

/** A timestamp, or a bare date that stays one: its day depends on a time zone. */
export const dateOrInstant = z
  .union([calendarDate, timestamp], { error: (issue) => whyNeither(issue.input) })
  .meta(expects(DATE_OR_INSTANT));

/** A timestamp, or a bare date that means midnight UTC; for the ends of ranges. */
export const instantOrDate = z
  .union([calendarDate.transform((date) => `${date}T00:00:00.000Z`), timestamp], {
    error: (issue) => whyNeither(issue.input),
  })
  .meta({ ...expects(DATE_OR_INSTANT), description: 'ISO 8601 instant with offset, or a date (UTC midnight)' });

/** A text that is a calendar date, in what a service answers: `calendarDate` without its validation. */
export const dateText = z.string().meta({ format: 'date' });

/** Wall-clock time of day `HH:MM`; `24:00` is the end of the day. */
export const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: 'invalid_format' })
  .meta({ ...expects('a local time HH:MM from 00:00 to 24:00'), description: 'Local time HH:MM, 00:00 to 24:00' });

// The patterns are those of the OpenAPI document too: regular expressions of any language have these escapes.
// No control character (Unicode category Cc) but tabs and line breaks.
const TEXT = '^(?:[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]|\\r\\n)*$';
// None of them, no line and paragraph separators, marks and overrides of direction (bidi controls), nor the zero-width space.
const FORBIDDEN_IN_NAMES =
  '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const NAME = `^[^${FORBIDDEN_IN_NAMES}]*$`;
// Blanks, and characters that show nothing: fillers, joiners, selectors, the blank of Braille.
const UNSEEN =
  '\\s\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200c\\u200d\\u2060-\\u2064\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0';
const NOT_BLANK = `^[^${FORBIDDEN_IN_NAMES}]*[^${FORBIDDEN_IN_NAMES}${UNSEEN}][^${FORBIDDEN_IN_NAMES}]*$`;

const matches = (pattern: string) => {
  const expression = new RegExp(pattern);
  return (value: string) => expression.test(value);
};
const isText = matches(TEXT);

/** How many characters a text has: Unicode code points, in which zod measures texts. */
export const characterCount = (value: string): number => Array.from(value).length;

/** Free text of at most `max` characters, without unpaired surrogates and control characters but tabs and line breaks. */
export const text = (max: number, min = 0) =>
  z
    .string()
    .min(min, { error: 'too_short' })
    .max(max, { error: 'too_long', abort: true })
    .refine((value) => value.isWellFormed() && isText(value), { error: 'forbidden_characters', abort: true })
    .meta({ pattern: TEXT });

/**
 * A name, or another text for one line of a list, mail or report: it may not contain line breaks, marks of direction or
 * invisible characters. Joiners (U+200C, U+200D), which some scripts need, are accepted.
 */
export const nameText = (max: number) =>
  text(max, 1).refine(matches(NAME), { error: 'forbidden_characters' }).meta({ pattern: NAME });

const SEEN = new RegExp(`[^${UNSEEN}]`);

/** A name of 1 to `max` characters, of which one at least shows. */
export const notBlank = (max: number) =>
  nameText(max)
    .refine((value) => SEEN.test(value), { error: 'too_short' })
    .meta({ pattern: NOT_BLANK });

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217 code in upper case, of a currency that exists. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'invalid_format', abort: true })
  .refine((code) => CURRENCIES.has(code) && code !== 'XXX' && code !== 'XTS', { error: 'invalid_value' })
  .meta({
    ...expects('the ISO 4217 code of a currency in upper case, such as EUR'),
    description: 'ISO 4217 currency code',
    examples: ['USD'],
  });

/** Options of a schema: a value that is absent is `required`, and one of another type `invalid_type`. */
export const orRequired: { error: z.core.$ZodErrorMap } = {
  error: (issue) => (issue.input === undefined ? 'required' : 'invalid_type'),
};

/** Amount in minor currency units, safe as an integer. */
export const cents = z.int(orRequired).min(0, { error: 'too_small' }).max(99_999_999, { error: 'too_large' });

/** A partial body: at least one field, else `empty_patch`. */
export const patch = <S extends z.ZodRawShape>(shape: S) =>
  z
    .strictObject(shape)
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'empty_patch' })
    .meta({ minProperties: 1 });

/** A list that has no value twice, else `duplicate_value`. */
export const distinct = <S extends z.ZodType<string>>(list: z.ZodArray<S>) =>
  list
    .refine((values) => new Set(values).size === values.length, { error: 'duplicate_value' })
    .meta({ uniqueItems: true });
