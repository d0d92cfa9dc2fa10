import { z } from 'zod';
import { distinct, id, timestamp } from '../formats/formats.js';
import { durationMinutes, ENDS_IN_TIME, isInTime } from './sessions.js';
import { hasReasonOfPrice, REASON_OF_PRICE, setPrice } from './set-prices.js';

/** Members who take a lesson together: 1 to 10, each once. */
export const groupOfMembers = distinct(z.array(id('mem')).min(1).max(10, { abort: true }));

/** Lessons in which places are taken together: 1 to 52, each once. */
export const requestedLessons = distinct(z.array(id('lsn')).min(1).max(52, { abort: true }));

const timeFields = { date: timestamp, duration_minutes: durationMinutes };
const bookedTime = z.strictObject(timeFields).refine(isInTime, ENDS_IN_TIME);
const pricedTime = z
  .strictObject({
    ...timeFields,
    price_cents: setPrice.price_cents.optional(),
    price_reason: setPrice.price_reason.optional(),
  })
  .refine(isInTime, ENDS_IN_TIME)
  .refine(hasReasonOfPrice, REASON_OF_PRICE);

function overlapping(times: z.output<typeof bookedTime>[]): boolean {
  const spans = times
    .map((time) => ({ start: Date.parse(time.date), end: Date.parse(time.date) + time.duration_minutes * 60_000 }))
    .sort((a, b) => a.start - b.start);
  return spans.some((span, index) => index > 0 && span.start < spans[index - 1]!.end);
}

const together = <T extends typeof bookedTime | typeof pricedTime>(time: T) =>
  z
    .array(time)
    .min(1)
    .max(52, { abort: true })
    .refine((times) => !overlapping(times as z.output<typeof bookedTime>[]), { error: 'overlapping_sessions' });

/** Times of lessons that are taken together: 1 to 52, none over another. */
export const bookedTimes = together(bookedTime);

/** The same with prices that the school sets. */
export const pricedTimes = together(pricedTime);
