import { expect } from '@jest/globals';
import type { Booking, Instructor, Member, Payment, Session } from '@swim/contracts';
import { until } from '@swim/testing';
import { type Customer, expectStatus } from './customer.js';
import { aCard, aMember, anInstructor, bookingBody, nextTime, paymentBody, sessionBody } from './fixtures.js';
import type { Stack } from './stack.js';

/** A family and a school that know each other; all their texts begin with a word that nobody else's do. */
export interface Acquaintance {
  canary: string;
  family: Customer;
  school: Customer;
  instructor: Instructor;
}

export async function openAcquaintance(stack: Stack, canary: string): Promise<Acquaintance> {
  const [family, school] = [await stack.open('family'), await stack.open('school')];
  const texts = { name: `${canary} Coach`, bio: `${canary} bio`, email: `${canary}@coach.test` };
  return { canary, family, school, instructor: await anInstructor(school, texts) };
}

const assess = (school: Customer, { id }: Member, canary: string) =>
  school.post(`/members/${id}/progress`, {
    skills: [{ code: 'l1_bobbing', status: 'mastered' }],
    note: `${canary} note`,
  });

/** Stores data of both: a session, a paid booking, and texts in every field that holds some. */
export async function storeData({ canary, family, school, instructor }: Acquaintance) {
  const emergency_contact = { name: `${canary} contact`, phone: '+14155550199', relationship: 'mother' };
  const changes = { name: `${canary} Kid`, medical_notes: `${canary} notes`, emergency_contact };
  const member = await aMember(family, changes);
  for (const [account, name] of [
    [family, 'Family'],
    [school, 'School'],
  ] as const) {
    const named = { name: `${canary} ${name}`, email: `${canary}@${name.toLowerCase()}.test` };
    expectStatus(200, await account.patch(`/accounts/${account.id}`, named));
  }
  let writes = 0;
  const keyed = () => ({ 'idempotency-key': `${canary} request ${++writes}` });
  const texts = { notes: `${canary} words`, metadata: { child: `${canary} metadata` } };
  const timed = sessionBody(instructor, member, nextTime(), texts);
  const session = await family.make<Session>('/sessions', timed, keyed());
  const booked = bookingBody(instructor, [member], [nextTime()], texts);
  const booking = await family.make<Booking>('/bookings', booked, keyed());
  const { metadata } = texts;
  const paid = paymentBody(booking, await aCard(family), { metadata });
  const payment = await family.make<Payment>('/payments', paid, keyed());
  const changed = { metadata: { child: `${canary} metadata, changed` } };
  expectStatus(200, await family.patch(`/payments/${payment.id}`, changed, keyed()));
  await family.make('/holds', { ...bookingBody(instructor, [member], [nextTime()]), expires_in_minutes: 30 });
  const wait = { instructor_id: instructor.id, member_id: member.id, date_from: session.date, duration_minutes: 60 };
  await family.make('/waitlist', { ...wait, date_to: booking.sessions[0]!.end_date });
  const place = { name: `${canary} Baths`, address: `${canary} Street`, latitude: 1, longitude: 2 };
  await school.make('/pools', { ...place, timezone: 'UTC', lanes: 2 });
  const assessed = async () => (await assess(school, member, canary)).status === 201;
  await until(assessed, 'the school may assess the member');
  return { member, session, booking, payment };
}

export const untilErased = (stack: Stack, { id }: Customer) =>
  until(
    async () => (await stack.stored('people', 'erasures', { _id: id, step: null })).length === 1,
    'the erasure is done',
  );

/** Asserts that no database holds a text of these; CANARY in them stands for the first word of all texts. */
export async function expectNoneStored(stack: Stack, canary: string, texts: string): Promise<void> {
  const found = new RegExp(`${canary} ${texts.replace('CANARY', canary)}`);
  await stack.snapshot();
  const contents = await stack.contents();
  const left = Object.entries(contents).flatMap(([name, documents]) =>
    documents.filter((document) => found.test(document)).map((document) => `${name} ${document}`),
  );
  expect(left).toEqual([]);
}
