import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type Booking,
  createBooking,
  type EventType,
  getBooking,
  type InputOf,
  listCredits,
  type Operation,
  recordDispute,
  refundForBooking,
  reservePayment,
  reserveRefund,
  type Session,
  sessionAttendanceRecorded,
  sessionCancelled,
  settlePayment,
  settleRefund,
  voidForBooking,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, CrashableService, publishEvent, startHarness, type TestHarness, until } from '@swim/testing';
import { FakeCalendar } from '../fake-calendar.js';
import { FakePeople } from '../fake-people.js';
import { EventRecorder, type StoredBooking, times } from '../harness.js';
import { recoveryOf } from './crash-recovery.js';

const PAST = new Date(0);

const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
let harness: TestHarness;
let people: FakePeople;
let calendar: FakeCalendar;
let recorder: EventRecorder;
let booking: CrashableService;
/** What bookings have requested from payment, by the ids of refunds and of voided payments. */
const refunds = new Map<string, { bookingId: string; amountCents: number }>();
const voids = new Set<string>();

jest.setTimeout(420_000);
beforeAll(async () => {
  harness = await startHarness();
  // Longer than any case: only `lapse` ends the leases of a crashed instance.
  Object.assign(harness.env, { SAGA_LEASE_MS: '30000', IDEMPOTENCY_LEASE_MS: '60000' });
  people = new FakePeople(harness);
  calendar = new FakeCalendar(harness);
  harness.serve(refundForBooking, (refund) => {
    refunds.set(refund.refundId, refund);
    return { accepted: true as const };
  });
  harness.serve(voidForBooking, ({ paymentId }) => {
    voids.add(paymentId);
    return { accepted: true as const };
  });
  recorder = new EventRecorder(harness);
  await harness.connection.flush();
  booking = await CrashableService.start(harness, {
    service: 'booking',
    load: async () => ({
      module: (await import('../../src/app.module.js')).AppModule,
      config: (await import('../../src/config.js')).config,
    }),
    lapse: () => recoveryOf(() => harness).lapse(),
  });
});
afterAll(async () => {
  await booking?.stop();
  await harness?.stop();
});

const isIdle = () => recoveryOf(() => harness).isIdle('booking')();
const insist = <O extends Operation>(operation: O, input: InputOf<O>, principal = family) =>
  harness.insist(operation, input, { budgetMs: 2_000, principal });
const bookings = () => harness.database('booking_test').collection<StoredBooking>('bookings');
const read = (booking_id: string) => harness.call(getBooking, { booking_id }, { principal: family });

/** What the movements of a booking say, in order, without their times. */
async function movementsOf(id: string): Promise<[kind: string, amountCents: number][]> {
  const { movements } = (await bookings().findOne({ _id: id })) as unknown as {
    movements: { kind: string; amountCents: number }[];
  };
  return movements.map(({ kind, amountCents }) => [kind, amountCents]);
}

interface Paid {
  id: string;
  paymentId: string;
}

/** A booking of an hour for 5000 cents, of which this much is charged or authorized by a payment. */
async function aPaidBooking(
  policies: { requirePrepayment?: boolean } = {},
  amountCents = 5_000,
  outcome: 'succeeded' | 'authorized' = 'succeeded',
): Promise<Paid> {
  const instructor_id = people.anInstructor(school.accountId, {}, { noShowFeePercent: 40, ...policies });
  const input = { instructor_id, member_ids: [people.aMember(family.accountId)], sessions: times(5) };
  const options = { principal: family, idempotencyKey: newId('req'), budgetMs: 2_000 };
  const { id } = await harness.insist(createBooking, input, options);
  return { id, paymentId: await pay(id, amountCents, outcome) };
}

async function pay(bookingId: string, amountCents: number, outcome: 'succeeded' | 'authorized'): Promise<string> {
  const paymentId = newId('pay');
  await insist(reservePayment, { bookingId, paymentId, amountCents, currency: 'USD', dryRun: false });
  await insist(settlePayment, { bookingId, paymentId, outcome });
  return paymentId;
}

const refundedOf = ({ id }: Paid) =>
  [...refunds.values()].filter(({ bookingId }) => bookingId === id).map(({ amountCents }) => amountCents);

/** Changes a session in scheduling, which publishes it. */
async function change({ id }: Paid, type: EventType, changes: Partial<Session>): Promise<void> {
  const [session] = calendar.confirmedSessions(id);
  const { notes: _, ...object } = Object.assign(session!, changes, { version: session!.version + 1 });
  const audience = [family.accountId, school.accountId];
  await publishEvent(harness, type, { object, audience, n: object.version });
}

const CANCELLED: Partial<Session> = {
  status: 'cancelled',
  cancellation: {
    reason: null,
    cancelled_at: PAST.toISOString(),
    cancelled_by: family.accountId,
    participants_notified: true,
    late: true,
    fee_cents: 1_500,
    refund_id: null,
    makeup_credit: null,
  },
};

describe('booking crashes after any single write', () => {
  it.each<[string, EventType, Partial<Session>, number, Partial<Booking>]>([
    ['is cancelled', sessionCancelled, CANCELLED, 3_500, { status: 'cancelled', amount_cents: 1_500 }],
    ['was missed', sessionAttendanceRecorded, { attendance: 'no_show' }, 3_000, { amount_cents: 2_000 }],
  ])(
    'while a booking follows a session that %s: the excess is refunded once',
    async (_, type, changes, refundCents, expected) => {
      const writes = await booking.everywhere(async (n) => {
        const paid = await aPaidBooking();
        const hasFollowed = async () => refundedOf(paid).length > 0 && (await isIdle());
        const crashed = await booking.crashDuring(
          n,
          async () => {
            await change(paid, type, changes);
            await until(hasFollowed, 'the excess is refunded');
          },
          isIdle,
        );
        await until(hasFollowed, 'the excess is refunded');
        const paidCents = 5_000 - refundCents;
        expect(await read(paid.id)).toMatchObject({ ...expected, amount_paid_cents: paidCents, amount_due_cents: 0 });
        expect(refundedOf(paid)).toEqual([refundCents]);
        expect((await movementsOf(paid.id)).filter(([kind]) => kind !== 'fee')).toEqual([
          ['charge', 5_000],
          ['refund', refundCents],
        ]);
        const [session] = calendar.confirmedSessions(paid.id);
        if (session!.cancellation) expect(refunds.get(session!.cancellation.refund_id!)?.bookingId).toBe(paid.id);
        return crashed;
      });
      expect(writes).toBeGreaterThanOrEqual(2);
    },
  );

  it('during the end of a booking whose paid lesson was excused: there is one credit, of its price', async () => {
    const creditsOf = async ({ id }: Paid) => {
      const [session] = calendar.confirmedSessions(id);
      const page = { account_id: family.accountId, limit: 100 };
      const { items } = await harness.call(listCredits, page, { principal: family });
      return items.filter(({ session_id }) => session_id === session!.id);
    };
    const writes = await booking.everywhere(async (n) => {
      const paid = await aPaidBooking();
      const isGiven = async () => (await creditsOf(paid)).length > 0 && (await isIdle());
      const crashed = await booking.crashDuring(
        n,
        async () => {
          await change(paid, sessionAttendanceRecorded, { attendance: 'excused' });
          await until(isGiven, 'the credit is made');
        },
        isIdle,
      );
      await until(isGiven, 'the credit is made');
      expect(await creditsOf(paid)).toMatchObject([{ amount_cents: 5_000, status: 'available' }]);
      expect(await movementsOf(paid.id)).toEqual([
        ['charge', 5_000],
        ['credit_excused', 5_000],
      ]);
      expect(refundedOf(paid)).toEqual([]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(3);
  });

  it('during a refund by the school: the money is set aside once, refunded once and waived once', async () => {
    const writes = await booking.everywhere(async (n) => {
      const { id: bookingId, paymentId } = await aPaidBooking();
      const refundId = newId('rfd');
      const reservation = { bookingId, paymentId, refundId, amountCents: 2_000, dryRun: false };
      const refund = async () => {
        await insist(reserveRefund, reservation, school);
        await insist(settleRefund, { bookingId, refundId, outcome: 'succeeded' }, school);
      };
      const crashed = await booking.crashDuring(n, refund, isIdle);
      await refund();
      expect(await read(bookingId)).toMatchObject({
        payment_status: 'partially_refunded',
        amount_paid_cents: 3_000,
        amount_due_cents: 0,
      });
      expect(await movementsOf(bookingId)).toEqual([
        ['charge', 5_000],
        ['refund', 2_000],
        ['waiver', 2_000],
      ]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(2);
  });

  it('during the loss of a dispute: it takes the money once', async () => {
    const writes = await booking.everywhere(async (n) => {
      const { id: bookingId, paymentId } = await aPaidBooking();
      const dispute = { bookingId, paymentId, disputeId: `dp_${n}`, amountCents: 5_000 };
      const lose = async () => {
        for (const [index, state] of (['open', 'lost'] as const).entries())
          await insist(recordDispute, { ...dispute, revision: index + 1, state }, school);
      };
      const crashed = await booking.crashDuring(n, lose, isIdle);
      await lose();
      expect(await read(bookingId)).toMatchObject({ amount_paid_cents: 0, amount_due_cents: 5_000 });
      expect(await movementsOf(bookingId)).toEqual([
        ['charge', 5_000],
        ['dispute_lost', 5_000],
      ]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(2);
  });

  it('during the expiry of a booking that is partly paid and partly authorized: both are given back, once', async () => {
    const writes = await booking.everywhere(async (n) => {
      const paid = await aPaidBooking({ requirePrepayment: true }, 2_000);
      const authorized = await pay(paid.id, 1_000, 'authorized');
      const isOver = async () => (await bookings().findOne({ _id: paid.id }))?.status === 'expired' && (await isIdle());
      const expire = async () => {
        await bookings().updateOne({ _id: paid.id }, { $set: { nextAt: PAST } });
        await until(isOver, 'it has expired');
      };
      const crashed = await booking.crashDuring(n, expire, isIdle);
      await until(isOver, 'it has expired');
      expect(await read(paid.id)).toMatchObject({ status: 'expired', amount_cents: 0, amount_paid_cents: 0 });
      expect([refundedOf(paid), voids.has(authorized)]).toEqual([[2_000], true]);
      expect((await recorder.atLeast(2, paid.id)).map(({ type }) => type)).toEqual([
        'booking.created',
        'booking.expired',
      ]);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });
});
