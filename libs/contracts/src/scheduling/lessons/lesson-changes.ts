import { z } from 'zod';
import { id } from '../../formats/formats.js';
import { event } from '../../operations/event.js';
import { rpc } from '../../operations/operation.js';
import { cancellationFields } from '../session-cancellations.js';
import { lesson, lessonObject } from './lessons.js';

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
