import type { Enrollment } from '@swim/contracts';
import { type Filter, oneOf } from '@swim/mongo';

// The condition of the partial indexes, which are used only by queries that state it.
export const IS_DUE = { 'dueParts.at': { $type: 'string' } };

/** The filters of `GET /bookings` that are its own. */
export interface BookingFilters {
  status?: readonly string[] | undefined;
  instructor_id?: string | undefined;
  member_id?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
  due?: boolean | undefined;
}

/** The same as a condition on stored bookings. */
export function filterOf({ status, instructor_id, member_id, date_from, date_to, due }: BookingFilters): Filter {
  // Stored as ISO 8601 in UTC, whose order is that of time.
  const date = { ...(date_from ? { $gte: date_from } : {}), ...(date_to ? { $lt: date_to } : {}) };
  return {
    ...oneOf('status', status),
    ...(date_from || date_to ? { sessions: { $elemMatch: { date } } } : {}),
    ...(instructor_id ? { instructorId: instructor_id } : {}),
    ...(member_id ? { memberIds: member_id } : {}),
    ...(due ? IS_DUE : {}),
  };
}

const NOT_OVER = { 'enrollment.isOver': null };
const OF_STATUS = {
  pending: { status: 'pending', ...NOT_OVER },
  active: { status: 'confirmed', ...NOT_OVER },
  ended: {
    $or: [{ 'enrollment.isOver': true }, { status: 'completed' }, { status: 'cancelled' }, { status: 'expired' }],
  },
};

/** The filters of `GET /enrollments` as a condition on stored bookings. */
export function enrollmentsOf({ class_id, member_id, status }: EnrollmentFilters): Filter {
  // The type is that of the index.
  const ofClass = { $type: 'string', ...(class_id === undefined ? {} : { $eq: class_id }) };
  return {
    'enrollment.classId': ofClass,
    ...(member_id === undefined ? {} : { memberIds: member_id }),
    ...(status === undefined ? {} : { $or: status.map((each) => OF_STATUS[each]) }),
  };
}

interface EnrollmentFilters {
  class_id?: string | undefined;
  member_id?: string | undefined;
  status?: Enrollment['status'][] | undefined;
}
