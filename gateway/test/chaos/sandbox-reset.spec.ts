import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Booking, DEMO_PUPILS, type Member, type SandboxClock, type Session } from '@swim/contracts';
import { inDays, until } from '@swim/testing';
import { expectStatus } from '../journeys/fixtures/customer.js';
import { aCard, aMember, anInstructor, bookingBody, paymentBody } from '../journeys/fixtures/fixtures.js';
import { clockOf } from '../journeys/fixtures/sandbox-clock.js';
import { Stack } from '../journeys/fixtures/stack.js';

/** What an account has that developers have worked with for long. */
const [MEMBERS, BOOKINGS, SESSIONS, PAYMENTS] = [1_722, 851, 2_591, 1_186];
const [INSTRUCTORS, LESSONS, CLIENTS] = [50, 3, 24];
const HOUR_MS = 3_600_000;
const IDLE_MS = 10_000;

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

/** How much longer work takes than on an idle machine. */
function busyness(): number {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const spentMs = () => (process.cpuUsage(used).user + process.cpuUsage(used).system) / 1_000;
  while (spentMs() < 500);
  return Math.max(1, (performance.now() - begun) / spentMs());
}

/** A family with members, most of whom have paid lessons to come at a school. */
async function aHistory() {
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
  const isSettled = async () => (await stack.stored('payment', 'payments', { step: { $ne: 'done' } })).length === 0;
  await until(isSettled, 'the payments are settled', 120_000);
  return { family, school, members, instructors };
}

it.each(['family', 'school'] as const)(
  'a reset of a %s with thousands of objects takes ten seconds, leaves the demo data alone, and ends lessons of others',
  async (kind) => {
    const { family, school, members, instructors } = await aHistory();
    const [customer, other] = kind === 'family' ? [family, school] : [school, family];
    const before = busyness();
    const begunMs = performance.now();
    expectStatus(200, await customer.post<SandboxClock>('/sandbox/reset', {}));
    await until(async () => !(await clockOf(customer)).resetting, 'the reset has ended', 600_000);
    const tookMs = performance.now() - begunMs;

    expect(await other.read<Session[]>('/sessions?status=scheduled')).toEqual([]);
    expect((await school.get(`/members/${members[0]!.id}`)).status).toBe(404);
    const own = await customer.read<Member[]>(kind === 'family' ? `/accounts/${family.id}/members` : '/members');
    expect(own).toHaveLength(kind === 'family' ? 2 : DEMO_PUPILS.length);
    expect(await customer.read<object[]>('/payments')).toEqual([]);
    const locked = { _id: { $regex: `^(${instructors.map(({ id }) => id).join('|')}):` }, 'busy.0': { $exists: true } };
    expect(await stack.stored('scheduling', 'days', locked)).toEqual([]);
    expect(tookMs).toBeLessThan(IDLE_MS * Math.max(before, busyness()));
    // What was paid goes back behind the reset.
    const paid = async () => (await stack.stored('payment', 'payments', { status: 'succeeded' })).length;
    await until(async () => (await paid()) === 0, 'all payments are refunded', 600_000);
  },
  1_800_000,
);
