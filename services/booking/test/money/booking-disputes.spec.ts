import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelBooking, type InputOf, listCredits, recordDispute, reserveRefund, settleRefund } from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, pay, read, reserve, settle } = moneyIn(() => fixture);
const paidBooking = async () => {
  const booking = await create();
  return { booking, paymentId: await pay(booking) };
};
const refund = (asked: Pick<InputOf<typeof reserveRefund>, 'bookingId' | 'paymentId' | 'refundId'>) =>
  fixture.harness.call(reserveRefund, { amountCents: null, dryRun: false, ...asked }, { principal: fixture.school });

describe('a dispute', () => {
  it('keeps the payment from being refunded while it is open or lost; what a lost one took is due until it is won', async () => {
    const { booking, paymentId } = await paidBooking();
    const dispute = (revision: number, state: 'open' | 'won' | 'lost', of = paymentId) =>
      fixture.harness.call(
        recordDispute,
        { bookingId: booking.id, paymentId: of, disputeId: 'dp_1', revision, state, amountCents: 5_000 },
        { principal: fixture.school },
      );
    const asked = { bookingId: booking.id, paymentId, refundId: newId('rfd') };
    await dispute(1, 'open');
    expect((await rejectionOf(refund(asked))).reason).toBe('payment_disputed');
    for (let time = 0; time < 2; time++) await dispute(2, 'lost');
    expect(await read(booking)).toMatchObject({
      amount_paid_cents: 0,
      amount_due_cents: 5_000,
      payment_status: 'unpaid',
    });
    expect((await rejectionOf(refund(asked))).reason).toBe('payment_disputed');
    await dispute(3, 'won');
    await dispute(2, 'lost');
    expect(await read(booking)).toMatchObject({
      amount_paid_cents: 5_000,
      amount_due_cents: 0,
      payment_status: 'paid',
    });
    expect((await rejectionOf(dispute(1, 'open', newId('pay')))).reason).toBe('not_found');
    expect(await refund(asked)).toMatchObject({ amountCents: 5_000 });
  });

  it('takes the fee of a late cancellation, which can be paid again then, and not twice', async () => {
    const date = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const booking = await create({ sessions: [{ date, duration_minutes: 60 }] });
    const paymentId = await pay(booking);
    await fixture.harness.call(cancelBooking, { booking_id: booking.id }, { principal: fixture.family });
    const due = async () => (await read(booking)).amount_due_cents;
    const cancelled = await read(booking);
    expect([cancelled.status, cancelled.amount_paid_cents > 0, await due()]).toEqual(['cancelled', true, 0]);
    expect((await rejectionOf(reserve(booking.id, { amountCents: 1 }))).reason).toBe('invalid_state');
    const lost = { disputeId: 'dp_1', revision: 1, state: 'lost', amountCents: 5_000 } as const;
    const dispute = { bookingId: booking.id, paymentId, ...lost };
    await fixture.harness.call(recordDispute, dispute, { principal: fixture.school });
    const feeCents = cancelled.amount_paid_cents;
    expect(await due()).toBe(feeCents);
    const second = newId('pay');
    await reserve(booking.id, { paymentId: second, amountCents: feeCents });
    await settle(booking.id, second, 'authorized');
    expect(JSON.stringify(await fixture.stored(booking.id))).not.toContain('voiding');
    await settle(booking.id, second, 'succeeded');
    expect(await read(booking)).toMatchObject({
      status: 'cancelled',
      amount_paid_cents: feeCents,
      amount_due_cents: 0,
    });
  });

  it('takes back the makeup credit that was given for the payment, as far as it is not spent', async () => {
    const booking = await create({ sessions: times(3) });
    const paymentId = await pay(booking);
    const asFamily = { principal: fixture.family };
    await fixture.harness.call(cancelBooking, { booking_id: booking.id, refund_as: 'credit' }, asFamily);
    const creditNow = async () => {
      const input = { account_id: fixture.family.accountId, limit: 100 };
      const { items } = await fixture.harness.call(listCredits, input, asFamily);
      return items.find(({ session_id }) => session_id === booking.session_ids[0]);
    };
    const { id } = await until(creditNow, 'the credit is made');
    const spending = await create({ sessions: [{ ...times(9)[0]!, duration_minutes: 30 }], makeup_credit_id: id });
    const dispute = { bookingId: booking.id, paymentId, disputeId: 'dp_1', amountCents: 5_000 };
    const lost = { ...dispute, revision: 1, state: 'lost' } as const;
    for (let time = 0; time < 2; time++) await fixture.harness.call(recordDispute, lost, { principal: fixture.school });
    await until(async () => (await creditNow())?.amount_cents === 0, 'the rest is revoked');
    expect(await creditNow()).toMatchObject({ status: 'spent', issued_cents: 5_000 });
    expect(await read(spending)).toMatchObject({ amount_credited_cents: 2_500, payment_status: 'paid' });
    // What that booking gives back is revoked as well.
    await fixture.harness.call(cancelBooking, { booking_id: spending.id }, asFamily);
    const isSettled = async () => (await fixture.stored(spending.id))?.creditSettledCents === 0;
    await until(isSettled, 'the credit records what is given back');
    expect(await creditNow()).toMatchObject({ amount_cents: 0, status: 'spent' });
  });
});

describe('a refund that was made by hand at the processor', () => {
  it('is counted without a reservation, until the bank returns it', async () => {
    const { booking, paymentId } = await paidBooking();
    const made = { paymentId, amountCents: 2_000 };
    const settle = { bookingId: booking.id, refundId: newId('rfd'), made };
    for (let time = 0; time < 2; time++)
      await fixture.harness.call(settleRefund, { ...settle, outcome: 'succeeded' }, { principal: fixture.school });
    expect(await read(booking)).toMatchObject({ amount_paid_cents: 3_000, amount_due_cents: 0 });
    await fixture.harness.call(settleRefund, { ...settle, outcome: 'failed' }, { principal: fixture.school });
    expect(await read(booking)).toMatchObject({
      amount_paid_cents: 5_000,
      amount_due_cents: 0,
      payment_status: 'paid',
    });
  });
});
