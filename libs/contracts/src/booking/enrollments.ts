import { z } from 'zod';
import { calendarDate, dateText, id, idText, instantText } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { cancellationFields } from '../scheduling/session-cancellations.js';

export const ENROLLMENT_STATUSES = ['pending', 'active', 'ended'] as const;

/** A member's part in a class: one booking of its lessons. */
export const enrollment = apiObject('enrollment', {
  id: idText('enr'),
  class_id: idText('cls'),
  member_id: idText('mem'),
  account_id: idText('acct'),
  status: z
    .enum(ENROLLMENT_STATUSES)
    .meta({ description: '`pending` until a required prepayment; `ended` with its last date or its booking' }),
  starts_on: dateText.meta({ description: 'The first date of its lessons, in the zone of the class' }),
  ends_on: dateText.nullable().meta({ description: 'The last date of its lessons; null where it has no end' }),
  booking_id: idText('bkg'),
  skipped: z
    .array(z.object({ lesson_id: idText('lsn'), date: instantText, reason: z.string() }))
    .meta({ description: 'The lessons that were left out, and why' }),
  created_at: instantText,
  updated_at: instantText,
});
export type Enrollment = z.output<typeof enrollment>;

/** The id of the enrollment of a booking, and the other way round: each says the other. */
export const enrollmentIdOf = (bookingId: string): string => `enr${bookingId.slice(bookingId.indexOf('_'))}`;
export const bookingOfEnrollment = (enrollmentId: string): string =>
  `bkg${enrollmentId.slice(enrollmentId.indexOf('_'))}`;

export const createEnrollment = rpc('booking.createEnrollment', {
  summary: 'Enroll a member',
  description:
    'Makes one booking of all lessons of the class from `starts_on` on that the member lacks. With `on_conflict: skip`, lessons that are full, closed, do not fit, or in which the member is busy are left out. It charges nothing: pay for the booking.',
  kind: 'write',
  input: z.strictObject({
    class_id: id('cls'),
    member_id: id('mem'),
    starts_on: calendarDate
      .optional()
      .meta({ description: 'The first date, in the zone of the class; without it all that can still be booked' }),
    payment_method_id: id('pm').nullish(),
    makeup_credit_id: id('crd').nullish(),
    hold_id: id('hold')
      .nullish()
      .meta({ description: 'The hold to take over, such as that of an offer of the waitlist, which has its lessons' }),
    on_conflict: z.enum(['fail', 'skip']).default('fail'),
    notify_participants: z.boolean().default(true),
  }),
  output: enrollment,
  errors: [
    'resource_not_found',
    'invalid_state',
    'no_dates',
    'already_enrolled',
    'class_full',
    'not_eligible',
    'member_busy',
    'closed',
    'outside_availability',
    'not_found',
    'hold_mismatch',
    'credit_of_other_school',
    'connection_ended',
    'change_in_progress',
    'busy_retry',
  ],
});

export const getEnrollment = rpc('booking.getEnrollment', {
  summary: 'Get an enrollment',
  description: 'An enrollment of the account, or in a class of the school.',
  kind: 'read',
  input: z.strictObject({ enrollment_id: id('enr') }),
  output: enrollment,
  errors: ['resource_not_found'],
});

export const listEnrollments = rpc('booking.listEnrollments', {
  summary: 'List enrollments',
  description: 'The enrollments of the account, or in the classes of the school, newest first.',
  kind: 'list',
  input: listQuery({
    class_id: id('cls').optional().meta({ description: 'Only enrollments in this class' }),
    member_id: id('mem').optional().meta({ description: 'Only enrollments of this member' }),
    status: several(ENROLLMENT_STATUSES).optional(),
    ...changingFilters('enr'),
  }),
  output: enrollment,
});

export const listClassEnrollments = rpc('booking.listClassEnrollments', {
  summary: 'List the enrollments in a class',
  description: 'Those of the account, or of everyone in a class of the school, newest first.',
  kind: 'list',
  input: listQuery({
    class_id: id('cls'),
    member_id: id('mem').optional().meta({ description: 'Only enrollments of this member' }),
    status: several(ENROLLMENT_STATUSES).optional(),
    ...changingFilters('enr'),
  }),
  output: enrollment,
});

export const endEnrollment = rpc('booking.endEnrollment', {
  summary: 'End an enrollment',
  description:
    'Cancels its sessions after a date, under the policies with which it was booked. It ends once that date is over. The same again changes nothing.',
  kind: 'write',
  input: z.strictObject({
    enrollment_id: id('enr'),
    ends_on: calendarDate.meta({ description: 'The last date of its lessons, in the zone of the class' }),
    ...cancellationFields,
  }),
  output: enrollment,
  errors: ['resource_not_found', 'invalid_state', 'change_in_progress', 'credits_not_offered'],
});

export const enrollmentCreated = event('booking', 'enrollment.created', enrollment);
export const enrollmentEnded = event('booking', 'enrollment.ended', enrollment);
