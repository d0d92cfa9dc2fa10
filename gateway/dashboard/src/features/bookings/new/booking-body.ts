import type { CreateBookingBody } from '@swim/sdk';
import { wholeOf } from '../../../design/fields/whole-number.ts';
import { centsOf } from '../../../design/values/amount.ts';
import { instantAt, type WallClock } from '../../../design/values/wall-clock.ts';
import { weekdayOf } from '../../../design/values/weekday.ts';

/** The fields of the form of a booking, as typed; its time is by the clock of the instructor. */
export interface BookingValues extends WallClock {
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly instructor: string;
  readonly minutes: string;
  /** How many lessons, one each week. */
  readonly weeks: string;
  readonly skips: boolean;
  readonly notes: string;
  /** Empty for none. */
  readonly methodId: string;
  readonly creditId: string;
  /** The price of each session that the school sets; empty for that of the rate. */
  readonly price: string;
  readonly priceReason: string;
}

export const MOST_WEEKS = 52;

/** How many weeks are typed; null where it is no number of weeks that one booking can have. */
export function weeksOf({ weeks }: Pick<BookingValues, 'weeks'>): number | null {
  const count = wholeOf(weeks);
  return count !== null && count >= 1 && count <= MOST_WEEKS ? count : null;
}

/** The price that the school sets, and why; null where what is typed is none. */
export function priceOf({ price, priceReason }: BookingValues, currency: string) {
  if (!price.trim()) return {};
  const cents = centsOf(price, currency);
  const reason = priceReason.trim();
  return cents === null ? null : { price_cents: cents, ...(reason ? { price_reason: reason } : {}) };
}

/** The body of a request for the form; null while it is not complete. Amounts are typed in the currency of the instructor. */
export function bodyOf(values: BookingValues, timeZone: string, currency: string): CreateBookingBody | null {
  const { members, instructor, date, time, minutes, notes, methodId, creditId } = values;
  const count = weeksOf(values);
  const first = instantAt(values, timeZone);
  const price = priceOf(values, currency);
  if (members.length === 0 || !instructor || first === null || count === null || price === null) return null;
  const common = {
    instructor_id: instructor,
    member_ids: members.map(({ id }) => id),
    ...(notes.trim() ? { notes: notes.trim() } : {}),
    ...(methodId ? { payment_method_id: methodId } : {}),
    ...(creditId ? { makeup_credit_id: creditId } : {}),
  };
  const each = { duration_minutes: Number(minutes), ...price };
  if (count === 1) return { ...common, sessions: [{ date: first, ...each }] };
  const start = { start_local: `${date}T${time}`, timezone: timeZone, weekdays: [weekdayOf(date)] };
  return {
    ...common,
    recurrence: { ...start, count, ...each },
    on_conflict: values.skips ? 'skip' : 'fail',
  };
}
