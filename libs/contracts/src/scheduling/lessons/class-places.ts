import { z } from 'zod';
import { id, idText, instantText } from '../../formats/formats.js';
import { timezone } from '../../formats/time-zones.js';
import { rpc } from '../../operations/operation.js';
import { placedMember } from '../claims.js';
import { CLASS_STATUSES } from './classes.js';

/**
 * A class that the account sees, with its lessons to come: in which of them it has a place for the member, and which it can still book.
 * With the hold of an offer of the class, the lessons are those of the hold.
 */
export const describeClass = rpc('scheduling.describeClass', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ classId: id('cls'), memberId: id('mem'), holdId: id('hold').nullish() }),
  output: z.object({
    status: z.enum(CLASS_STATUSES),
    timezone,
    lessons: z.array(
      z.object({ id: idText('lsn'), date: instantText, isTaken: z.boolean(), canBeBooked: z.boolean() }),
    ),
  }),
  errors: ['resource_not_found', 'hold_mismatch'],
});
export type DescribedClass = z.output<typeof describeClass.output>;

/** Up to three other classes of the same school that have a place in each lesson to come and fit the member. */
export const suggestClasses = rpc('scheduling.suggestClasses', {
  kind: 'read',
  callers: ['booking'],
  input: z.strictObject({ classId: id('cls'), member: placedMember }),
  output: z.object({ suggestions: z.array(z.object({ class_id: idText('cls'), next_lesson_at: instantText })) }),
});
