import { z } from 'zod';
import { calendarDate, distinct, expects, hasOneOf } from '../../formats/formats.js';
import { timezone } from '../../formats/time-zones.js';
import { WEEKDAYS } from '../../people/schedule.js';
import { durationMinutes } from '../sessions.js';
import { hasReasonOfPrice, REASON_OF_PRICE, setPrice } from '../set-prices.js';

/** The most dates of a recurrence, exceptions included. */
export const MOST_DATES = 52;

const LOCAL = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/;

/** A local date and time, `YYYY-MM-DDTHH:MM`, in the zone of the recurrence. */
const localDateTime = z
  .string()
  .regex(LOCAL, { error: 'invalid_format', abort: true })
  .refine((text) => calendarDate.safeParse(text.slice(0, 10)).success, { error: 'invalid_date' })
  .meta({
    ...expects('a local date and time without offset, such as 2027-03-01T16:00'),
    description: 'Earliest date and local time of the lessons, YYYY-MM-DDTHH:MM, without offset',
    examples: ['2027-03-01T16:00'],
  });

const exceptions = distinct(z.array(calendarDate).max(MOST_DATES, { abort: true })).meta({
  description: 'Local dates of the recurrence that are left out',
});

/**
 * Weekly dates at one local time: those of `weekdays` from `start_local` on, either `count` of them or until a date, inclusive
 * (contract, Bookings). Dates in `except` count, as in RFC 5545, and are left out.
 */
const recurrenceFields = {
  start_local: localDateTime,
  timezone,
  weekdays: distinct(z.array(z.enum(WEEKDAYS)).min(1).max(7, { abort: true })),
  count: z
    .int()
    .min(1)
    .max(MOST_DATES)
    .optional()
    .meta({ description: 'How many dates, exceptions included. Instead of `until`' }),
  until: calendarDate
    .optional()
    .meta({ format: 'date', description: 'Last possible local date, YYYY-MM-DD. Instead of `count`' }),
  except: exceptions.default([]),
};

const hasEnd = ({ count, until }: { count?: unknown; until?: unknown }) => count !== undefined || until !== undefined;
const hasOneEnd = ({ count, until }: { count?: unknown; until?: unknown }) =>
  count === undefined || until === undefined;
const NO_END = { error: 'required', path: ['count'] };
const TWO_ENDS = { error: 'mutually_exclusive', path: ['until'], params: { excludes: 'recurrence.count' } };

export const recurrence = z
  .strictObject({ ...recurrenceFields, duration_minutes: durationMinutes })
  .refine(hasEnd, NO_END)
  .refine(hasOneEnd, TWO_ENDS)
  .meta(hasOneOf('count', 'until'));
export type Recurrence = z.output<typeof recurrence>;

/** The same with a price that the school sets for all. */
export const pricedRecurrence = z
  .strictObject({
    ...recurrenceFields,
    duration_minutes: durationMinutes,
    price_cents: setPrice.price_cents.optional(),
    price_reason: setPrice.price_reason.optional(),
  })
  .refine(hasEnd, NO_END)
  .refine(hasOneEnd, TWO_ENDS)
  .refine(hasReasonOfPrice, REASON_OF_PRICE)
  .meta(hasOneOf('count', 'until'));

/** The dates of a class, whose lessons have one length. */
export const classRecurrence = z
  .strictObject(recurrenceFields)
  .refine(hasEnd, NO_END)
  .refine(hasOneEnd, TWO_ENDS)
  .meta(hasOneOf('count', 'until'));
export type ClassRecurrence = z.output<typeof classRecurrence>;

/** A change of these dates: fields that are left out stay, and `count` replaces `until`, or the other way round. */
export const classRecurrencePatch = z
  .strictObject({ ...recurrenceFields, except: exceptions })
  .partial()
  .refine(hasOneEnd, TWO_ENDS);
