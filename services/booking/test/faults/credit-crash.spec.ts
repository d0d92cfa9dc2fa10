import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelBooking,
  createBooking,
  type InputOf,
  listCredits,
  type Operation,
  reservePayment,
  settlePayment,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, CrashableService, startHarness, type TestHarness, until } from '@swim/testing';
import { FakeCalendar } from '../fake-calendar.js';
import { FakePeople } from '../fake-people.js';
import { type BookingInput, times } from '../harness.js';
import { recoveryOf } from './crash-recovery.js';

const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
let harness: TestHarness;
let people: FakePeople;
let calendar: FakeCalendar;
let booking: CrashableService;

jest.setTimeout(300_000);
beforeAll(async () => {
  harness = await startHarness();
  // Longer than any case: only `lapse` ends the leases of a crashed instance.
  Object.assign(harness.env, { SAGA_LEASE_MS: '30000', IDEMPOTENCY_LEASE_MS: '60000' });
  people = new FakePeople(harness);
  calendar = new FakeCalendar(harness);
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
const keyed = () => ({ principal: family, idempotencyKey: newId('req') });
const insist = <O extends Operation>(operation: O, input: InputOf<O>, options: object = { principal: family }) =>
  harness.insist(operation, input, { budgetMs: 2_000, ...options });
const inputWith = (changes: Partial<BookingInput> = {}): BookingInput => ({
  instructor_id: people.anInstructor(school.accountId),
  member_ids: [people.aMember(family.accountId)],
  sessions: times(5),
  ...changes,
});
const credits = () =>
  harness.database('booking_test').collection<{ _id: string; leftCents: number; spends: object[] }>('credits');
/** Whether no booking is being made, and nothing of a credit is reserved. */
const hasEnded = async () => {
  const [open, due] = await Promise.all([
    harness.database('booking_test').collection('drafts').findOne({ state: 'claiming' }),
    credits().findOne({ dueAt: { $type: 'date' } }),
  ]);
  return open === null && due === null;
};
const listed = async () =>
  (await harness.call(listCredits, { account_id: family.accountId, limit: 100 }, { principal: family })).items;

async function paid(): Promise<string> {
  const { id } = await insist(createBooking, inputWith(), keyed());
  const money = { bookingId: id, paymentId: newId('pay') };
  await insist(reservePayment, { ...money, amountCents: 5_000, currency: 'USD', dryRun: false });
  await insist(settlePayment, { ...money, outcome: 'succeeded' });
  return id;
}

const creditOf = (bookingId: string) => {
  const [session] = calendar.confirmedSessions(bookingId);
  return until(async () => (await listed()).find((each) => each.session_id === session!.id), 'the credit is made');
};

describe('booking crashes after any single write', () => {
  it('of a cancellation that gives a credit: there is one, of what would have been refunded', async () => {
    const writes = await booking.everywhere(async (n) => {
      const id = await paid();
      const [input, options] = [{ booking_id: id, refund_as: 'credit' as const }, keyed()];
      const work = async () => {
        await harness.call(cancelBooking, input, options);
        await creditOf(id);
      };
      const crashed = await booking.crashDuring(n, work, isIdle);
      expect(await insist(cancelBooking, input, options)).toMatchObject({ status: 'cancelled', amount_paid_cents: 0 });
      const credit = await creditOf(id);
      expect(credit).toMatchObject({ amount_cents: 5_000, status: 'available' });
      expect(calendar.confirmedSessions(id)[0]!.cancellation!.makeup_credit).toBe(credit.id);
      expect((await listed()).filter(({ session_id }) => session_id === credit.session_id)).toHaveLength(1);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('of a booking that spends a credit: it is spent once, or not at all when the booking fails', async () => {
    const outcomes: string[] = [];
    const writes = await booking.everywhere(async (n) => {
      const id = await paid();
      await insist(cancelBooking, { booking_id: id, refund_as: 'credit' }, keyed());
      const credit = await creditOf(id);
      await until(isIdle, 'nothing is left to do');
      const [input, options] = [inputWith({ makeup_credit_id: credit.id }), keyed()];
      const work = () => harness.call(createBooking, input, options);
      const crashed = await booking.crashDuring(n, work, isIdle);
      // Without a retry of its client the booking is made or fails, and the credit follows.
      await until(hasEnded, 'the booking and its credit have ended');
      const stored = (await credits().findOne({ _id: credit.id }))!;
      outcomes.push(stored.leftCents === 0 ? 'spent' : 'left');
      expect(stored.spends).toHaveLength(stored.leftCents === 0 ? 1 : 0);
      const made = await insist(createBooking, input, options);
      expect(made).toMatchObject({ amount_credited_cents: 5_000, amount_due_cents: 0, payment_status: 'paid' });
      await until(isIdle, 'the credit is settled');
      expect(await credits().findOne({ _id: credit.id })).toMatchObject({
        leftCents: 0,
        spends: [{ bookingId: made.id, amountCents: 5_000, state: 'spent' }],
      });
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(6);
    expect(outcomes).toEqual(expect.arrayContaining(['left', 'spent']));
  });
});
