import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Booking, Instructor, Member, Payment, PaymentMethod, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type Answer, apiError, type Customer } from './customer.js';
import { aBooking, aCard, aMember, anInstructor, bookingBody, nextTime, paymentBody, sessionBody } from './fixtures.js';
import { PATIENCE_MS, Stack } from './stack.js';

jest.setTimeout(PATIENCE_MS);
// A write's deadline, and a reserve for a process to start and get the retry.
const DEADLINE_MS = 10_000;
const STARTED_IN_TIME_MS = 7_000;
// Noticeably later than that, an answer did not keep to its deadline. Generous, since the machine may be busy.
const LATE_MS = 8_000;

let stack: Stack;
let family: Customer;
let instructor: Instructor;
let member: Member;
let visa: PaymentMethod;
beforeAll(async () => {
  stack = await Stack.start({ IDEMPOTENCY_LEASE_MS: '4000', PAYMENT_LEASE_MS: '4000' });
  family = stack.family;
  instructor = await anInstructor(stack.school);
  [member, visa] = [await aMember(family), await aCard(family)];
});
afterAll(() => stack?.stop());

/** What a request answers, and after how many milliseconds. */
async function timed<T>(pending: Promise<Answer<T>>): Promise<Answer<T> & { tookMs: number }> {
  const startedAtMs = performance.now();
  return { ...(await pending), tookMs: performance.now() - startedAtMs };
}

/** Retries until the answer has this status: an open circuit closes by itself. */
const untilStatus = <T>(status: number, attempt: () => Promise<Answer<T>>): Promise<Answer<T>> =>
  until(async () => {
    const answer = await attempt();
    return answer.status === status ? answer : null;
  }, `${status} is answered`);

const input = () => sessionBody(instructor, member, nextTime());

async function everythingElseAnswers(): Promise<void> {
  const account = `/accounts/${family.id}`;
  const paths = [
    account,
    `${account}/members`,
    `${account}/payments`,
    `${account}/payment-methods`,
    '/instructors',
    '/events',
  ];
  for (const path of paths) expect((await family.get(path)).status).toBe(200);
  await aMember(family);
  await aCard(family);
}

describe('when scheduling is gone', () => {
  it('sessions are 503 with Retry-After, all else works, and they recover once it is back', async () => {
    await stack.kill('scheduling');
    const [made, read] = [timed(family.post('/sessions', input())), timed(family.get('/sessions'))];
    await everythingElseAnswers();
    for (const answer of [await read, await made]) {
      expect(answer).toMatchObject({ ...apiError(503, 'unavailable'), error: { code: 'SERVER_ERROR' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect((await made).tookMs).toBeLessThan(DEADLINE_MS + LATE_MS);
    await stack.add('scheduling');
    expect((await untilStatus(200, () => family.get('/sessions'))).data).toEqual([]);
    await untilStatus(201, () => family.post('/sessions', input()));
    expect(await aBooking(family, instructor, member)).toMatchObject({ status: 'confirmed' });
  });

  it('and comes back before the deadline, the request has waited for it and succeeds', async () => {
    await until(async () => {
      await stack.kill('scheduling');
      const waiting = family.post<Session>('/sessions', input());
      const startedAtMs = performance.now();
      await stack.add('scheduling');
      const startTookMs = performance.now() - startedAtMs;
      const answer = await waiting;
      if (startTookMs < STARTED_IN_TIME_MS)
        expect(answer).toMatchObject({ status: 201, data: { status: 'scheduled' } });
      return answer.status === 201;
    }, 'it starts within the deadline of a request');
  });
});

describe('when scheduling hangs', () => {
  it('requests end at their deadline, and what could not be answered in time is not done later', async () => {
    const before = await family.readAll<Session>('/sessions');
    stack.freeze('scheduling');
    const [made, read] = [timed(family.post('/sessions', input())), timed(family.get('/sessions'))];
    await everythingElseAnswers();
    for (const answer of [await read, await made]) {
      expect([503, 504]).toContain(answer.status);
      expect(['deadline_exceeded', 'unavailable']).toContain(answer.error.details.reason);
    }
    expect((await read).tookMs).toBeLessThan(3_000 + LATE_MS);
    expect((await made).tookMs).toBeLessThan(DEADLINE_MS + LATE_MS);
    stack.thaw('scheduling');
    const after = await untilStatus(200, () => family.get<Session[]>('/sessions?limit=100'));
    expect(after.data).toEqual(before);
  });
});

describe('when people is gone', () => {
  it('a cached key works where people is not needed, an unknown one gets 503, and none gets 401', async () => {
    const newcomer = await stack.mint(family.id);
    await stack.kill('people');
    const [known, unknown, needing] = [family.get('/sessions'), newcomer.get('/sessions'), family.get('/instructors')];
    expect(await known).toMatchObject({ status: 200 });
    expect(await unknown).toMatchObject(apiError(503, 'unavailable'));
    expect(await needing).toMatchObject(apiError(503, 'unavailable'));
    await stack.add('people');
    await untilStatus(200, () => newcomer.get('/instructors'));
  });
});

describe('when booking is killed while it books', () => {
  it('the same key makes the booking, once', async () => {
    const [key, date] = [{ 'idempotency-key': newId('req') }, nextTime()];
    const send = () => family.post<Booking>('/bookings', bookingBody(instructor, [member], [date]), key);
    stack.freeze('scheduling');
    const first = send();
    await until(
      () => stack.stored('booking', 'bookings', { status: 'claiming' }).then(({ length }) => length > 0),
      'the booking is begun',
    );
    await stack.kill('booking');
    stack.thaw('scheduling');
    await stack.add('booking');
    const made = await untilStatus(201, send);
    expect([201, 409, 503, 504]).toContain((await first).status);
    expect(made.data).toMatchObject({ status: 'confirmed', sessions: [{ date }] });
    const booked = await family.readAll<Booking>(`/bookings?instructor_id=${instructor.id}`);
    expect(booked.filter(({ sessions }) => sessions[0]?.date === date)).toEqual([made.data]);
    expect(await family.readAll(`/sessions?date_from=${date}&date_to=${date.replace('T10', 'T11')}`)).toHaveLength(1);
  });
});

describe('when payment is killed in the middle of a payment', () => {
  /**
   * Kills payment as soon as `moment` has come, and finishes the payment by its key; null when it was through by then, where
   * this process was held up.
   */
  async function payThroughDeath(
    booking: Booking,
    moment: () => Promise<boolean>,
    afterwards: () => void,
  ): Promise<Answer<Payment> | null> {
    const key = { 'idempotency-key': newId('req') };
    const send = () => family.post<Payment>('/payments', paymentBody(booking, visa), key);
    const first = send();
    await until(moment, 'the payment has come as far');
    await stack.kill('payment');
    afterwards();
    const [stored, ...others] = await stack.stored('payment', 'payments', { bookingId: booking.id });
    expect(others).toEqual([]);
    await stack.add('payment');
    const paid = await untilStatus(201, send);
    expect([201, 409, 503, 504]).toContain((await first).status);
    return stored!.status === 'pending' ? paid : null;
  }

  async function expectPaidOnce(booking: Booking, { data: payment }: Answer<Payment>): Promise<void> {
    expect(payment).toMatchObject({ amount_cents: 6_000, booking_id: booking.id });
    const settled = await untilStatus(200, () => family.get<Booking>(`/bookings/${booking.id}`));
    expect(settled.data).toMatchObject({ amount_paid_cents: 6_000, payment_status: 'paid' });
    const history = await family.readAll<Payment>(`/accounts/${family.id}/payments?booking_id=${booking.id}`);
    expect(history).toMatchObject([{ id: payment.id, status: 'succeeded' }]);
    const charges = await stack.stored('payment', 'processor_charges', { _id: payment.id });
    expect(charges).toMatchObject([{ amountCents: 6_000, state: 'succeeded' }]);
    const repeated = await family.post('/payments', paymentBody(booking, visa));
    expect(repeated).toMatchObject(apiError(409, 'already_paid'));
  }

  it('before money was set aside, the same key pays, once', async () => {
    const booking = await aBooking(family, instructor, member);
    stack.freeze('booking');
    const begun = async () => (await stack.stored('payment', 'payments', { bookingId: booking.id })).length > 0;
    const paid = await payThroughDeath(booking, begun, () => stack.thaw('booking'));
    await expectPaidOnce(booking, paid!);
  });

  it('after the processor has taken the money, the same key finishes, and nothing is charged twice', async () => {
    const isKilledInTime = async () => {
      const booking = await aBooking(family, instructor, member);
      // The database is far away, so that there is time between two steps.
      stack.database.disturb({ latencyMs: 250 });
      const known = new Set((await stack.stored('payment', 'processor_charges')).map(({ _id: id }) => id));
      const charged = async () =>
        (await stack.stored('payment', 'processor_charges')).some(({ _id: id }) => !known.has(id));
      const paid = await payThroughDeath(booking, charged, () => stack.database.disturb({}));
      if (paid) await expectPaidOnce(booking, paid);
      return paid !== null;
    };
    await until(isKilledInTime, 'payment is killed before the payment is through', 80_000);
  });
});
