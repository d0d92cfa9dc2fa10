import { z } from 'zod';
import { id, patch } from '../../formats/formats.js';
import { event } from '../../operations/event.js';
import { rpc } from '../../operations/operation.js';
import { cancellationFields } from '../session-cancellations.js';
import {
  AGES_IN_ORDER,
  getLesson,
  hasAgesInOrder,
  lesson,
  lessonFields,
  lessonObject,
  outsideHours,
} from './lessons.js';

export const updateLesson = rpc('scheduling.updateLesson', {
  summary: 'Update or move a lesson',
  description:
    'Changes the fields that are sent. Another time, length, instructor or place moves all sessions of the lesson or none; each keeps its id and its price, and can be cancelled free of charge until it starts. Only the school may.',
  kind: 'write',
  reads: getLesson,
  input: z.strictObject({
    lesson_id: id('lsn'),
    changes: patch({
      ...lessonFields,
      location: lessonFields.location.nullable(),
      outside_hours: outsideHours,
      notify_participants: z.boolean(),
      version: z.int().min(1),
    }).refine(hasAgesInOrder, AGES_IN_ORDER),
  }),
  output: lesson,
  errors: [
    'instructor_busy',
    'member_busy',
    'pool_full',
    'closed',
    'outside_availability',
    'busy_retry',
    'resource_not_found',
    'school_only',
    'invalid_state',
    'private_lesson',
    'capacity_below_taken',
    'stale_version',
    'change_in_progress',
    'in_past',
    'too_far_ahead',
    'not_found',
    'inactive_instructor',
    'currency_mismatch',
    'not_representable',
    'range_reversed',
  ],
});

export const cancelLesson = rpc('scheduling.cancelLesson', {
  summary: 'Cancel a lesson',
  description:
    'Cancels a lesson with all of its sessions, without a fee. With `refund_as: credit` a session whose booking gives no makeup credits is refunded. Cancelling again answers the same. Only the school may.',
  kind: 'write',
  input: z.strictObject({ lesson_id: id('lsn'), ...cancellationFields }),
  output: lesson,
  errors: ['resource_not_found', 'school_only', 'invalid_state', 'credits_not_offered', 'change_in_progress'],
});

export const lessonUpdated = event('scheduling', 'lesson.updated', lessonObject);
/** Its time or its instructor has changed. */
export const lessonRescheduled = event('scheduling', 'lesson.rescheduled', lessonObject);
export const lessonCancelled = event('scheduling', 'lesson.cancelled', lessonObject);
export const lessonCompleted = event('scheduling', 'lesson.completed', lessonObject);
