import { z } from 'zod';
import { distinct, id, timestamp } from '../formats/formats.js';
import { durationMinutes, ENDS_IN_TIME, isInTime } from './sessions.js';

/** Members who take a lesson together: 1 to 10, each once. */
export const groupOfMembers = distinct(z.array(id('mem')).min(1).max(10, { abort: true }));

/** Lessons in which places are taken together: 1 to 52, each once. */
export const requestedLessons = distinct(z.array(id('lsn')).min(1).max(52, { abort: true }));

const bookedTime = z
  .strictObject({ date: timestamp, duration_minutes: durationMinutes })
  .refine(isInTime, ENDS_IN_TIME);

function overlapping(times: z.output<typeof bookedTime>[]): boolean {
  const spans = times
    .map((time) => ({ start: Date.parse(time.date), end: Date.parse(time.date) + time.duration_minutes * 60_000 }))
    .sort((a, b) => a.start - b.start);
  return spans.some((span, index) => index > 0 && span.start < spans[index - 1]!.end);
}

/** Times of lessons that are taken together: 1 to 52, none over another. */
export const bookedTimes = z
  .array(bookedTime)
  .min(1)
  .max(52, { abort: true })
  .refine((times) => !overlapping(times), { error: 'overlapping_sessions' });
