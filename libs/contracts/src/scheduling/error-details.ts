import { z } from 'zod';
import type { Reason } from '../errors/errors.js';
import { idText, instantText } from '../formats/formats.js';
import {
  closedTime,
  dateConflict,
  ELIGIBILITY_RULES,
  lessonConflict,
  outsideAvailability,
  suggestion,
} from './claims.js';
import { skippedLessons } from './lessons/substitutions.js';

const status = z.string().meta({ description: 'Status that the object has now' });
const suggestions = z
  .array(suggestion)
  .meta({ description: 'Up to three times nearby at which the same request would succeed' });
const scope = z.string().meta({ description: 'The scope that the key lacks' });
const amountDue = z
  .int()
  .meta({ description: 'What is still due for the booking, less payments that are in progress' });
const lessonConflicts = z
  .array(lessonConflict)
  .optional()
  .meta({ description: 'Each lesson of `lesson_ids` without a place, in the order of the request' });
const maximum = z.int().meta({ description: 'The most that is allowed' });

/**
 * Members of `error.details` beside `reason`, `field` and `errors`, by reason. An optional one is absent where the operation
 * does not have it; a reason that is not listed has no others.
 */
const DETAILS = {
  missing_scope: { scope },
  consent_exceeded: {
    allowed_cents: z.int().meta({ description: 'What may still be charged by consent, in minor units' }),
  },
  conflicting_lessons: { skipped: skippedLessons },
  conflicting_dates: {
    conflicts: z.array(dateConflict).meta({ description: 'Each date that is not free, in the order of the request' }),
  },
  lesson_full: {
    suggestions: z.array(z.object({ lesson_id: idText('lsn'), date: instantText })).meta({
      description: 'Up to three lessons of the same school with a free place, for which the member is eligible',
    }),
    conflicts: lessonConflicts,
  },
  class_full: {
    suggestions: z.array(z.object({ class_id: idText('cls'), next_lesson_at: instantText })).meta({
      description: 'Up to three classes of the same school with a free place, for which the member is eligible',
    }),
    conflicts: lessonConflicts,
  },
  not_eligible: {
    rule: z.enum(ELIGIBILITY_RULES).meta({ description: 'What of the lesson the member does not fit' }),
    member_id: idText('mem').meta({ description: 'The first member who does not fit' }),
    conflicts: lessonConflicts,
  },
  instructor_busy: { suggestions },
  member_busy: {
    member_id: idText('mem').optional().meta({ description: 'The first member who is busy' }),
    session_id: idText('ses')
      .optional()
      .meta({ description: 'The first session of the lesson whose member is busy, when the school moves a lesson' }),
    suggestions,
    conflicts: lessonConflicts,
  },
  pool_full: { suggestions },
  closed: {
    ...closedTime,
    suggestions,
    conflicts: z
      .array(z.union([lessonConflict, dateConflict]))
      .optional()
      .meta({ description: 'Each lesson or date that is closed, in the order of the request' }),
  },
  outside_availability: { ...outsideAvailability, suggestions, conflicts: lessonConflicts },
  capacity_below_taken: { places_taken: z.int().meta({ description: 'How many places are taken' }) },
  stale_version: { current_version: z.int().meta({ description: 'The version that the object has now' }) },
  group_too_large: { maximum },
  amount_exceeds_due: { amount_due_cents: amountDue },
  already_paid: { amount_due_cents: amountDue.optional() },
  invalid_state: {
    status: status.optional(),
    replaced_by: idText('key').optional().meta({ description: 'The key that has replaced a rolled key' }),
  },
  payment_disputed: { status: status.optional() },
  account_closing: { erases_at: instantText.meta({ description: 'When the account is erased' }) },
  already_exists: {
    review_id: idText('rev').optional().meta({ description: 'The review that the session already has' }),
  },
  too_many_matches: { maximum },
  limit_reached: {
    maximum: maximum.optional(),
    maximum_hours: z.number().optional().meta({ description: 'The most hours of sessions that may be held' }),
  },
  amount_exceeds_refundable: {
    refundable_cents: z.int().optional().meta({ description: 'What can still be refunded' }),
  },
  too_large: { maximum: maximum.optional() },
  out_of_range: { maximum: maximum.optional() },
  card_declined: {
    payment_id: idText('pay').optional().meta({ description: 'The failed payment, which is stored' }),
    decline_code: z.string().nullable().meta({ description: "The processor's reason" }),
  },
  authentication_required: {
    payment_id: idText('pay').meta({ description: 'The failed payment, which is stored' }),
    decline_code: z.string().nullable().meta({ description: "The processor's reason" }),
  },
} as const satisfies Partial<Record<Reason, z.ZodRawShape>>;

const EMPTY: z.ZodRawShape = {};

/** Shape of the members of `error.details` that only this reason has. */
export const detailsShapeOf = (reason: Reason): z.ZodRawShape =>
  (DETAILS as Partial<Record<Reason, z.ZodRawShape>>)[reason] ?? EMPTY;
