import { expect, it } from '@jest/globals';
import type {
  AccountEvent,
  Booking,
  Enrollment,
  Hold,
  Lesson,
  Member,
  SwimClass,
  WaitlistEntry,
} from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { type Customer, expectStatus } from '../../fixtures/customer.js';
import { anAddress, mailbox, stack } from '../../fixtures/dashboard-fixtures.js';
import { aCard, aMember, anInstructor, paymentBody } from '../../fixtures/fixtures.js';
import { advance } from '../../fixtures/sandbox-clock.js';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const HOUR_MS = 3_600_000;
const dateIn = (days: number) => inDays(days, 12).slice(0, 10);
const later = (date: string, hours: number) => new Date(Date.parse(date) + hours * HOUR_MS).toISOString();

interface Family {
  customer: Customer;
  email: string;
  child: Member;
}

async function aFamily(): Promise<Family> {
  const email = anAddress();
  const customer = await stack.open('family', 'test', { email, locale: 'en' });
  return { customer, email, child: await aMember(customer) };
}

/** A class of one place and four weekly lessons at noon, for 1500 cents each. */
async function aClass(school: Customer): Promise<{ frogs: SwimClass; lessons: Lesson[] }> {
  const { id: instructor_id } = await anInstructor(school);
  const weekdays = [DAYS[new Date(inDays(10)).getUTCDay()]];
  const recurrence = { start_local: `${dateIn(10)}T12:00`, timezone: 'UTC', weekdays, count: 4 };
  const fields = { name: 'Frogs', instructor_id, duration_minutes: 45, capacity: 1, price_cents: 1_500, recurrence };
  const { id } = await school.make<SwimClass>('/classes', fields);
  const { data: frogs } = expectStatus(200, await school.post<SwimClass>(`/classes/${id}/open`, {}));
  return { frogs, lessons: await school.readAll<Lesson>(`/lessons?class_id=${id}`) };
}

const enroll = ({ customer, child }: Family, { id }: SwimClass, more: object = {}) =>
  customer.make<Enrollment>(`/classes/${id}/enrollments`, { member_id: child.id, ...more });
const bookingOf = ({ customer }: Family, { booking_id }: Enrollment) =>
  customer.read<Booking>(`/bookings/${booking_id}`);
/** The types of the events about an object, the first first, once the last of them is of this type. */
const typesUntil = (customer: Customer, { id }: { id: string }, last: string) =>
  until(async () => {
    const events = await customer.readAll<AccountEvent>(`/events?object_id=${id}`);
    return events[0]?.type === last ? events.map(({ type }) => type).toReversed() : null;
  }, `${last} is the last event`);
/** The subjects of the mails to an address that match, once there are as many. */
const subjectsTo = (email: string, pattern: RegExp, count: number) =>
  until(() => {
    const subjects = mailbox.textsTo(email).map((text) => text.slice(0, text.indexOf('\n')));
    const found = subjects.filter((subject) => pattern.test(subject));
    return found.length >= count ? found : null;
  }, `${count} mails to ${email}`);
const OF_LESSONS = /^(?:Booked|Cancelled|A place)/;

it('an enrollment that ends in the middle of its class gives money and places back, which the next in line takes', async () => {
  const school = await stack.open('school', 'test', { email: anAddress(), locale: 'en' });
  const [first, next] = [await aFamily(), await aFamily()];
  const { frogs, lessons } = await aClass(school);
  const made = await enroll(first, frogs);
  await first.customer.make('/payments', paymentBody(await bookingOf(first, made), await aCard(first.customer)));
  const waiting = { class_id: frogs.id, member_id: next.child.id };
  const entry = await next.customer.make<WaitlistEntry>('/waitlist', waiting);
  expect(entry).toMatchObject({ status: 'waiting', offer: null });

  // Two lessons were given, and it is too late to cancel the third free of charge.
  await advance(school, later(lessons[2]!.date, -23));
  const statuses = async () => (await bookingOf(first, made)).sessions.map(({ status }) => status);
  await until(async () => (await statuses()).join() === 'completed,completed,scheduled,scheduled', 'two are completed');
  const end = `/enrollments/${made.id}/end`;
  const ends_on = later(lessons[2]!.date, -23).slice(0, 10);
  const preview = await first.customer.post<Enrollment>(`${end}?dry_run=true`, { ends_on });
  expect(preview.data).toMatchObject({ ends_on });
  expect((await statuses())[3]).toBe('scheduled');
  expect(expectStatus(200, await first.customer.post<Enrollment>(end, { ends_on })).data).toMatchObject({ ends_on });
  expect(await statuses()).toEqual(['completed', 'completed', 'cancelled', 'cancelled']);
  // Half of the third is kept; that and the fourth come back.
  const isRefunded = async () => (await bookingOf(first, made)).amount_paid_cents === 3_750;
  await until(isRefunded, 'the money is given back');
  expect(await bookingOf(first, made)).toMatchObject({
    ...{ status: 'completed', amount_cents: 3_750, amount_due_cents: 0, payment_status: 'partially_refunded' },
  });
  const ended = ['enrollment.created', 'enrollment.ended'];
  for (const customer of [first.customer, school])
    expect(await typesUntil(customer, made, 'enrollment.ended')).toEqual(ended);
  expect((await first.customer.read<Enrollment>(`/enrollments/${made.id}`)).status).toBe('ended');

  const offer = await until(
    async () => (await next.customer.read<WaitlistEntry>(`/waitlist/${entry.id}`)).offer,
    'the places are offered',
  );
  const held = await next.customer.read<Hold>(`/holds/${offer.hold_id}`);
  expect(held.lesson_ids).toEqual(lessons.slice(2).map(({ id }) => id));
  // The mail is only sent while the offer stands.
  const offered = expect.stringMatching(/^A place in a class from .+ on has become free$/);
  expect(await subjectsTo(next.email, OF_LESSONS, 1)).toEqual([offered]);
  const taken = await enroll(next, frogs, { hold_id: offer.hold_id });
  expect(taken).toMatchObject({ status: 'active', starts_on: dateIn(24), ends_on: null, skipped: [] });
  const refilled = async () => (await school.read<SwimClass>(`/classes/${frogs.id}`)).places_left;
  expect(await refilled()).toBe(0);
  const booked = ['Booked: 4 swimming lessons', 'Cancelled: 2 swimming lessons'];
  expect(await subjectsTo(first.email, OF_LESSONS, 2)).toEqual(booked);
  await subjectsTo(first.email, /^Refund: /, 1);
  expect(await subjectsTo(next.email, OF_LESSONS, 2)).toEqual([offered, 'Booked: 2 swimming lessons']);

  // With its last lesson the class has none to come, and the booking of the second family is completed.
  await advance(school, later(lessons[3]!.end_date, 1));
  expect(await typesUntil(next.customer, taken, 'enrollment.ended')).toEqual(ended);
  expect(await next.customer.read<Enrollment>(`/enrollments/${taken.id}`)).toMatchObject({
    status: 'ended',
    ends_on: null,
  });
  expect(await school.read<SwimClass>(`/classes/${frogs.id}`)).toMatchObject({ status: 'open', next_lesson_at: null });
});
