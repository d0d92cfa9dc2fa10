import { type Filter, oneOf } from '@swim/mongo';

/** The filters of `GET /bookings` that are its own. */
export interface BookingFilters {
  status?: readonly string[] | undefined;
  instructor_id?: string | undefined;
  member_id?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** The same as a condition on stored bookings. */
export function filterOf({ status, instructor_id, member_id, date_from, date_to }: BookingFilters): Filter {
  // Stored as ISO 8601 in UTC, whose order is that of time.
  const date = { ...(date_from ? { $gte: date_from } : {}), ...(date_to ? { $lt: date_to } : {}) };
  return {
    ...oneOf('status', status),
    ...(date_from || date_to ? { sessions: { $elemMatch: { date } } } : {}),
    ...(instructor_id ? { instructorId: instructor_id } : {}),
    ...(member_id ? { memberIds: member_id } : {}),
  };
}
