import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountEvent, Booking, Instructor, Member, Session } from '@swim/contracts';
import { newId } from '@swim/platform';
import { until } from '@swim/testing';
import { type Answer, apiError, Customer, decided, UNDECIDED } from '../journeys/fixtures/customer.js';
import {
  aBooking,
  aCard,
  aMember,
  anInstructor,
  aSession,
  bookingBody,
  nextTime,
  overlapsAmong,
  paymentBody,
} from '../journeys/fixtures/fixtures.js';
import { Stack } from '../journeys/fixtures/stack.js';

const RECOVERED_WITHIN_MS = 60_000;
const RESETS = 5;

let stack: Stack;
let family: Customer;
let anyone: Customer;
let instructor: Instructor;
let member: Member;
beforeAll(async () => {
  stack = await Stack.start({ IDEMPOTENCY_LEASE_MS: '4000' });
  family = stack.family.once;
  anyone = new Customer(stack.origin, '', '').once;
  [instructor, member] = [await anInstructor(stack.school), await aMember(family)];
});
afterAll(() => stack?.stop());

const PATHS = () => {
  const account = `/accounts/${family.id}`;
  return [
    '/sessions',
    '/bookings',
    '/events',
    '/instructors',
    account,
    `${account}/members`,
    `${account}/payments`,
    `${account}/payment-methods`,
  ];
};

/** Waits until every service answers reads and writes, without a restart of any process. */
async function expectRecovery(): Promise<void> {
  const allAnswer = async () =>
    (await Promise.all(PATHS().map((path) => family.get(path)))).every(({ status }) => status === 200);
  await until(allAnswer, 'all services answer', RECOVERED_WITHIN_MS);
  const card = await aCard(family);
  const booking = await aBooking(family, instructor, member);
  await family.make('/payments', paymentBody(booking, card));
  await until(
    async () =>
      (await family.read<AccountEvent[]>('/events?limit=5')).some(
        ({ type, data }) => type === 'payment.succeeded' && data.object.booking_id === booking.id,
      ),
    'the payment has its event',
    RECOVERED_WITHIN_MS,
  );
  expect(stack.isWhole).toBe(true);
}

/** A request for a booking under one key. */
function aRepeatedBooking() {
  const [key, body] = [{ 'idempotency-key': newId('req') }, bookingBody(instructor, [member], [nextTime()])];
  const send = () => family.post<Booking>('/bookings', body, key);
  /** Repeats the request until it is answered with the booking, which is the only one at its time. */
  async function expectOne(): Promise<void> {
    const answered = async () => {
      const answer = await send();
      return answer.status === 201 ? answer.data : null;
    };
    const made = await until(answered, 'the same key makes the booking', RECOVERED_WITHIN_MS);
    const booked = await family.readAll<Booking>('/bookings');
    expect(booked.filter(({ sessions }) => sessions[0]?.date === body.sessions[0]!.date)).toEqual([made]);
  }
  return { send, expectOne };
}

const isBare = ({ text }: Answer) => expect(text).not.toMatch(/mongo|nats|ECONN|socket|127\.0\.0\.1|at \w+ \(/i);

describe('when NATS is gone', () => {
  it('every request is 503 with Retry-After, and all recovers when it is back', async () => {
    const eventCount = (await family.readAll<AccountEvent>('/events')).length;
    await stack.nats.kill();
    try {
      for (const answer of await Promise.all([
        ...PATHS().map((path) => family.get(path)),
        family.post('/sessions', {}),
      ])) {
        // Plainly wrong input may be rejected without a service.
        if (answer.status !== 400)
          expect(answer).toMatchObject({ ...apiError(503, 'unavailable'), error: { code: 'SERVER_ERROR' } });
        isBare(answer);
      }
      expect(await anyone.get('/health')).toMatchObject({ status: 503 });
    } finally {
      await stack.nats.restart();
    }
    await expectRecovery();
    expect(await anyone.get('/health')).toMatchObject({ status: 200 });
    const events = await family.readAll<AccountEvent>('/events');
    expect(events.length).toBeGreaterThan(eventCount);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => events.length - index));
  });

  it('a request that is under way when it goes is answered, and its key finishes the work', async () => {
    const { send, expectOne } = aRepeatedBooking();
    stack.freeze('scheduling');
    const first = send();
    await until(
      () => stack.stored('booking', 'drafts', { state: 'claiming' }).then(({ length }) => length > 0),
      'the booking is begun',
    );
    await stack.nats.kill();
    stack.thaw('scheduling');
    await stack.nats.restart();
    expect([201, 409, 503, 504]).toContain((await first).status);
    await expectOne();
    expect(stack.isWhole).toBe(true);
  });
});

describe('when the database is out of reach', () => {
  afterEach(() => stack.database.disturb({}));

  it('requests are answered in time that it is our fault, and all recovers when it is back', async () => {
    const { send, expectOne } = aRepeatedBooking();
    stack.database.disturb({ unreachable: true });
    const answers = await Promise.all([
      ...PATHS().map((path) => family.get(path)),
      send(),
      family.post('/sessions', {}),
    ]);
    for (const answer of answers) {
      if (answer.status !== 400) {
        expect([503, 504]).toContain(answer.status);
        expect(answer.error.code).toBe('SERVER_ERROR');
      }
      isBare(answer);
    }
    expect(await anyone.get('/health')).toMatchObject(apiError(503, 'unavailable'));
    stack.database.disturb({});
    await expectRecovery();
    await expectOne();
    await until(
      async () => (await anyone.get<{ status: string }>('/health')).data?.status === 'ok',
      'its health is ok',
    );
  });

  it('connections that are reset repeatedly lose and double nothing', async () => {
    const teacher = await anInstructor(stack.school);
    const inputs = Array.from({ length: 8 }, () => bookingBody(teacher, [member], [nextTime()]));
    let isOver = false;
    const booked = Promise.all(
      inputs.map((input) => decided(family, '/bookings', input, [...UNDECIDED, 'internal'])),
    ).finally(() => {
      isOver = true;
    });
    const someAreUnderWay = async () =>
      isOver ||
      (await stack.stored('booking', 'drafts', { 'booking.instructorId': teacher.id, state: 'claiming' })).length > 0;
    for (let resets = 0; resets < RESETS; resets++) {
      await until(someAreUnderWay, 'bookings are under way', RECOVERED_WITHIN_MS);
      stack.database.cut();
    }
    const answers = await booked;
    expect(answers.map(({ status }) => status)).toEqual(inputs.map(() => 201));
    expect(await family.readAll<Booking>(`/bookings?instructor_id=${teacher.id}`)).toHaveLength(inputs.length);
    const sessions = await family.readAll<Session>(`/sessions?instructor_id=${teacher.id}&status=scheduled`);
    expect(sessions).toHaveLength(inputs.length);
    expect(overlapsAmong(sessions)).toEqual([]);
  });

  it('answers that are lost after the work was done are made good by the same key', async () => {
    const { send, expectOne } = aRepeatedBooking();
    stack.database.disturb({ loseAnswers: true });
    const lost = await send();
    expect(lost.status).toBeGreaterThanOrEqual(409);
    stack.database.disturb({});
    await expectOne();
  });
});

describe('when the way to the database is slow and comes in crumbs', () => {
  beforeEach(() => stack.database.disturb({ latencyMs: 15, sliceBytes: 50 }));
  afterEach(() => stack.database.disturb({}));

  it('lessons are booked and paid for all the same', async () => {
    const kid = await aMember(family);
    await aSession(family, instructor, kid);
    const booking = await aBooking(family, instructor, kid);
    const paid = await family.make('/payments', paymentBody(booking, await aCard(family)));
    expect(paid).toMatchObject({ status: 'succeeded' });
  });
});
