import { parseDate, toZoned } from '@internationalized/date';
import type { Query } from '@swim/sdk';

/** The filters of the list, as its address has them; empty where one is not set. */
export interface BookingFilters {
  readonly status: string;
  readonly instructor: string;
  readonly member: string;
  /** First and last day, both included: YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
}

const NAMES = ['status', 'instructor', 'member', 'from', 'to'] as const;

/** The filters that an address has. */
export const filtersOf = (params: URLSearchParams): BookingFilters =>
  Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as unknown as BookingFilters;

/** The parameters of an address for filters; those that are not set are left out. */
export const paramsOf = (filters: BookingFilters): URLSearchParams =>
  new URLSearchParams(NAMES.filter((name) => filters[name]).map((name) => [name, filters[name]]));

/** The instant at which a day begins in a time zone, some days later; undefined where the text is no date. */
function startOf(date: string, days: number, timeZone: string): string | undefined {
  try {
    return date ? toZoned(parseDate(date).add({ days }), timeZone).toDate().toISOString() : undefined;
  } catch {
    return undefined;
  }
}

type BookingQuery = Query<'listBookings'>;

/** The query of the API for filters: days are those of the account's time zone. */
export function bookingQueryOf(filters: BookingFilters, timeZone: string): BookingQuery {
  const set = {
    status: filters.status,
    instructor_id: filters.instructor,
    member_id: filters.member,
    date_from: startOf(filters.from, 0, timeZone),
    date_to: startOf(filters.to, 1, timeZone),
  };
  return Object.fromEntries(Object.entries(set).filter(([, value]) => value)) as BookingQuery;
}
