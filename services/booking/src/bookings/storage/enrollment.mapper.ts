import { type Booking, type Enrollment, enrollmentEnded, enrollmentIdOf } from '@swim/contracts';
import type { NewEvent } from '@swim/mongo';
import type { StoredEnrollment } from '../drafts/draft.schema.js';
import type { BookingDocument, FirstBooking } from './booking.schema.js';

type Enrolled = FirstBooking & Pick<BookingDocument, 'createdAt' | 'updatedAt'> & { enrollment?: StoredEnrollment };

const STATUS_OF: Record<BookingDocument['status'], Enrollment['status']> = {
  pending: 'pending',
  confirmed: 'active',
  completed: 'ended',
  cancelled: 'ended',
  expired: 'ended',
};

/** It follows its booking, and is over with its last date. */
export const statusOfEnrollment = ({
  status,
  enrollment,
}: Pick<Enrolled, 'status' | 'enrollment'>): Enrollment['status'] => (enrollment?.isOver ? 'ended' : STATUS_OF[status]);

/** Maps the enrollment of a booking to the API's JSON. */
export const toEnrollment = (booking: Enrolled): Enrollment => ({
  id: enrollmentIdOf(booking._id),
  class_id: booking.enrollment!.classId,
  member_id: booking.memberIds[0]!,
  account_id: booking.accountId,
  status: statusOfEnrollment(booking),
  starts_on: booking.enrollment!.startsOn,
  ends_on: booking.enrollment!.endsOn,
  booking_id: booking._id,
  skipped: (booking.skipped ?? []).map(({ lesson_id, date, reason }) => ({ lesson_id: lesson_id!, date, reason })),
  created_at: booking.createdAt.toISOString(),
  updated_at: booking.updatedAt.toISOString(),
});

/** The enrollment of a booking that was just made. */
export const enrollmentOf = (booking: Booking, { classId, startsOn, endsOn }: StoredEnrollment): Enrollment => ({
  id: enrollmentIdOf(booking.id),
  class_id: classId,
  member_id: booking.member_ids[0]!,
  account_id: booking.account_id,
  status: STATUS_OF[booking.status],
  starts_on: startsOn,
  ends_on: endsOn,
  booking_id: booking.id,
  skipped: (booking.skipped ?? []).map(({ lesson_id, date, reason }) => ({ lesson_id: lesson_id!, date, reason })),
  created_at: booking.created_at,
  updated_at: booking.updated_at,
});

const ENDED_ORDINAL = 2;

/** The event of an enrollment that a change of its booking ends; none otherwise. */
export function endOfEnrollment(now: BookingDocument, after: BookingDocument): NewEvent<BookingDocument>[] {
  if (!now.enrollment || statusOfEnrollment(now) === 'ended' || statusOfEnrollment(after) !== 'ended') return [];
  const previous = { status: statusOfEnrollment(now) };
  const about = { id: enrollmentIdOf(now._id), n: ENDED_ORDINAL };
  return [{ type: enrollmentEnded, object: toEnrollment, previous, about }];
}
