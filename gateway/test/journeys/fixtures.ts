import type { Booking, Instructor, Member, PaymentMethod, Session } from '@swim/contracts';
import { inDays } from '@swim/testing';
import type { Customer } from './customer.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
let made = 0;

/** An instructor who teaches every day from 06:00 to 22:00 UTC, for 60 dollars an hour, up to four members at once. */
export const anInstructor = (school: Customer, changes: object = {}): Promise<Instructor> =>
  school.make<Instructor>('/instructors', instructorBody(changes));

/** The body of `anInstructor`. */
export const instructorBody = (changes: object = {}) => ({
  name: `Coach ${++made}`,
  email: `coach-${made}@example.test`,
  timezone: 'UTC',
  hourly_rate_cents: 6_000,
  currency: 'USD',
  max_group_size: 4,
  availability_schedule: { weekly: DAYS.map((day) => ({ day, start: '06:00', end: '22:00' })) },
  ...changes,
});

/** A member of an account. */
export const aMember = (family: Customer, changes: object = {}): Promise<Member> =>
  family.make<Member>(`/accounts/${family.id}/members`, memberBody(changes));

/** The body of `aMember`. */
export const memberBody = (changes: object = {}) => ({
  name: `Kid ${++made}`,
  date_of_birth: '2017-05-04',
  ...changes,
});

/** A payment method of an account, by the name of a test card. */
export const aCard = (family: Customer, token = 'pm_card_visa'): Promise<PaymentMethod> =>
  family.make<PaymentMethod>(`/accounts/${family.id}/payment-methods`, { processor_payment_method_id: token });

/** The body of a session. */
export const sessionBody = (instructor: Instructor, member: Member, date: string, changes: object = {}) => ({
  instructor_id: instructor.id,
  member_id: member.id,
  date,
  duration_minutes: 60,
  ...changes,
});

/** The body of a booking of one hour on each of the dates. */
export const bookingBody = (instructor: Instructor, members: Member[], dates: string[], changes: object = {}) => ({
  instructor_id: instructor.id,
  member_ids: members.map(({ id }) => id),
  sessions: dates.map((date) => ({ date, duration_minutes: 60 })),
  ...changes,
});

/** A booking of one hour, which costs 6000 cents unless the instructor has another rate. */
export const aBooking = (
  family: Customer,
  instructor: Instructor,
  member: Member,
  date = nextTime(),
): Promise<Booking> => family.make<Booking>('/bookings', bookingBody(instructor, [member], [date]));

/** A session outside a booking. */
export const aSession = (
  family: Customer,
  instructor: Instructor,
  member: Member,
  date = nextTime(),
): Promise<Session> => family.make<Session>('/sessions', sessionBody(instructor, member, date));

let times = 0;
/** Ten o'clock of a day at least 30 days ahead, which no journey of this spec has used yet. */
export const nextTime = (): string => inDays(30 + times++);

/** The body of a payment of a whole booking. */
export const paymentBody = (booking: Booking, card: PaymentMethod, changes: object = {}) => ({
  booking_id: booking.id,
  payment_method_id: card.id,
  amount_cents: booking.amount_cents,
  currency: booking.currency,
  ...changes,
});

interface Spanned {
  date: string;
  end_date: string;
}

/** Pairs that take place at the same time. */
export function overlapsAmong<S extends Spanned>(sessions: readonly S[]): [S, S][] {
  const sorted = [...sessions].sort((a, b) => a.date.localeCompare(b.date));
  return sorted
    .slice(1)
    .flatMap((each, index) => (each.date < sorted[index]!.end_date ? [[sorted[index]!, each] as [S, S]] : []));
}
