import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Booking, Member, SandboxClock, Session } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { expectStatus } from '../journeys/customer.js';
import { aCard, aMember, anInstructor, bookingBody, paymentBody } from '../journeys/fixtures.js';
import { clockOf } from '../journeys/sandbox-clock.js';
import { Stack } from '../journeys/stack.js';

/** What an account has that developers have worked with for long. */
const [MEMBERS, BOOKINGS, SESSIONS, PAYMENTS] = [1_722, 851, 2_591, 1_186];
const [INSTRUCTORS, LESSONS, CLIENTS] = [50, 3, 24];
const HOUR_MS = 3_600_000;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack?.stop());

/** Makes objects by several clients at a time. */
async function made<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  let next = 0;
  const client = async () => {
    for (let index = next++; index < count; index = next++) all[index] = await make(index);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return all;
}

/** Hours that no two bookings of an instructor share. */
function datesOf(booking: number): string[] {
  const first = Math.floor(booking / INSTRUCTORS) * (LESSONS + 1);
  const count = LESSONS + (booking < SESSIONS - BOOKINGS * LESSONS ? 1 : 0);
  return Array.from({ length: count }, (_, lesson) => {
    const slot = first + lesson;
    return new Date(Date.parse(inDays(2 + Math.floor(slot / 10))) + (slot % 10) * HOUR_MS).toISOString();
  });
}

it('a reset ends for an account with thousands of objects, which then has its demo data alone', async () => {
  const [family, school] = [await stack.open('family'), await stack.open('school')];
  const instructors = await made(INSTRUCTORS, () => anInstructor(school));
  const card = await aCard(family);
  const members = await made<Member>(MEMBERS, () => aMember(family, { medical_notes: 'asthma' }));
  const bookings = await made<Booking>(BOOKINGS, (index) => {
    const body = bookingBody(instructors[index % INSTRUCTORS]!, [members[index]!], datesOf(index));
    return family.make<Booking>('/bookings', body);
  });
  const inParts = PAYMENTS - BOOKINGS;
  await made(PAYMENTS, (index) => {
    const booking = bookings[index % BOOKINGS]!;
    const part = index % BOOKINGS < inParts ? { amount_cents: booking.amount_cents / 2 } : {};
    return family.make('/payments', paymentBody(booking, card, part));
  });

  expectStatus(200, await family.post<SandboxClock>('/sandbox/reset', {}));
  await until(async () => !(await clockOf(family)).resetting, 'the reset has ended', 600_000);

  for (const list of ['sessions', 'bookings', 'payments'])
    expect([list, await family.read<object[]>(`/${list}`)]).toEqual([list, []]);
  expect(await family.read<Member[]>(`/accounts/${family.id}/members`)).toHaveLength(2);
  expect(await school.read<Session[]>('/sessions?status=scheduled')).toEqual([]);
}, 1_200_000);
