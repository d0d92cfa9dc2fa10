import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, type InputOf, paidOfBooking, reserveRefund, settleRefund } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, pay, read, reserve, settle } = moneyIn(() => fixture);

describe('the paid amount of a booking', () => {
  const paid = (bookingId: string, principal = fixture.family) =>
    fixture.harness.call(paidOfBooking, { bookingId }, { principal });
  const amounts = (paidCents: number) => ({
    ...{ paidCents, creditedCents: 0, waivedCents: 0 },
    ...{ refundableCents: paidCents, missedFees: [], owesFees: true },
  });

  it('excludes reserved and declined payments, and is readable by the school too', async () => {
    const { id } = await create();
    const [came, underWay, declined] = [newId('pay'), newId('pay'), newId('pay')];
    await reserve(id, { paymentId: came, amountCents: 2_000 });
    await reserve(id, { paymentId: declined, amountCents: 1_000 });
    await reserve(id, { paymentId: underWay, amountCents: 1_500 });
    expect(await paid(id)).toEqual(amounts(0));
    await settle(id, came);
    await settle(id, declined, 'failed');
    expect(await paid(id)).toEqual(amounts(2_000));
    expect(await paid(id, fixture.school)).toEqual(amounts(2_000));
  });

  it('is not readable by other accounts: resource_not_found', async () => {
    const { id } = await create();
    expect(await rejectionOf(paid(id, aPrincipal()))).toMatchObject({ reason: 'resource_not_found' });
    expect(await rejectionOf(paid(newId('bkg')))).toMatchObject({ reason: 'resource_not_found' });
  });
});

describe('reserving money', () => {
  it('returns the account and the amount due; a repetition returns the same and reserves nothing more', async () => {
    const booking = await create();
    const paymentId = newId('pay');
    const first = await reserve(booking.id, { paymentId, amountCents: 2_000 });
    expect(first).toEqual({
      bookingId: booking.id,
      accountId: fixture.family.accountId,
      schoolId: fixture.school.accountId,
      dueCents: 5_000,
    });
    expect(await reserve(booking.id, { paymentId, amountCents: 2_000 })).toEqual(first);
    await settle(booking.id, paymentId);
    expect(await reserve(booking.id, { paymentId, amountCents: 2_000 })).toEqual(first);
    expect(await reserve(booking.id, { amountCents: 3_000 })).toMatchObject({ dueCents: 3_000 });
  });

  it('lets no more than 20 payments fail within a day, however many come at once: too_many_attempts', async () => {
    const { id } = await create();
    for (let failures = 0; failures < 17; failures++) {
      const paymentId = newId('pay');
      await reserve(id, { paymentId, amountCents: 10 });
      await settle(id, paymentId, 'failed');
    }
    const racers = Array.from({ length: 8 }, () => reserve(id, { paymentId: newId('pay'), amountCents: 10 }));
    const outcomes = await Promise.allSettled(racers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const rejection = await rejectionOf(reserve(id, { amountCents: 10 }));
    expect(rejection).toMatchObject({ reason: 'too_many_attempts', details: { field: 'booking_id' } });
    expect(rejection.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(await rejectionOf(reserve(id, { dryRun: true }))).toMatchObject({ reason: 'too_many_attempts' });
  });

  it('keeps of payments that failed more than a day ago their number alone', async () => {
    const booking = await create();
    const failed = newId('pay');
    await reserve(booking.id, { paymentId: failed });
    await settle(booking.id, failed, 'failed');
    const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
    const bookings = fixture.harness.database('booking_test').collection<{ _id: string }>('bookings');
    await bookings.updateOne({ _id: booking.id }, { $set: { 'payments.0.at': at } });
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    expect(await fixture.stored(booking.id)).toMatchObject({ payments: [{ id: paymentId }], failedCount: 1 });
    // Its outcome arrives once more.
    await settle(booking.id, failed, 'failed');
    expect(await read(booking)).toMatchObject({ payment_status: 'failed', amount_due_cents: 5_000 });
    await settle(booking.id, paymentId);
    expect(await read(booking)).toMatchObject({ payment_status: 'paid', amount_paid_cents: 5_000 });
  });

  it('stores nothing in a dry run', async () => {
    const booking = await create();
    expect(await reserve(booking.id, { dryRun: true })).toMatchObject({ dueCents: 5_000 });
    expect((await fixture.stored(booking.id))?.payments).toEqual([]);
  });

  it('by twenty concurrent requests reserves exactly the price of the booking', async () => {
    const booking = await create({ sessions: times(1, 2) });
    const racers = Array.from({ length: 20 }, () =>
      reserve(booking.id, { amountCents: 2_000 }).catch((e: AppError) => e),
    );
    const outcomes = await Promise.all(racers);
    const rejected = outcomes.filter((outcome) => outcome instanceof AppError);
    expect(outcomes.length - rejected.length).toBe(5);
    for (const { reason } of rejected) expect(['amount_exceeds_due', 'change_in_progress']).toContain(reason);
  });

  it.each<[string, (booking: Booking) => Promise<unknown>, object]>([
    [
      'more than is due',
      (b) => reserve(b.id, { amountCents: 5_001 }),
      { reason: 'amount_exceeds_due', field: 'amount_cents' },
    ],
    ['another currency', (b) => reserve(b.id, { currency: 'EUR' }), { reason: 'currency_mismatch', field: 'currency' }],
    ['a booking that is not there', () => reserve(newId('bkg')), { reason: 'not_found', field: 'booking_id' }],
    [
      'a booking of another account',
      (b) => reserve(b.id, {}, { principal: aPrincipal() }),
      { reason: 'not_found', field: 'booking_id' },
    ],
    [
      'a booking that the school may see but does not pay',
      (b) => reserve(b.id, {}, { principal: fixture.school }),
      { reason: 'not_found', field: 'booking_id' },
    ],
  ])('is rejected for %s', async (_, attempt, details) => {
    const error = await rejectionOf(attempt(await create()));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details });
  });

  it('is rejected for a paid booking', async () => {
    const booking = await create();
    await pay(booking);
    expect(await rejectionOf(reserve(booking.id))).toMatchObject({ code: 'CONFLICT', reason: 'already_paid' });
  });
});

describe('settling', () => {
  it('counts the paid amount once, and increments the version', async () => {
    const booking = await create();
    const [first, second] = [newId('pay'), newId('pay')];
    await reserve(booking.id, { paymentId: first, amountCents: 2_000 });
    expect(await read(booking)).toMatchObject({ payment_status: 'unpaid', amount_paid_cents: 0, version: 1 });
    await settle(booking.id, first);
    await settle(booking.id, first);
    expect(await read(booking)).toMatchObject({
      payment_status: 'partially_paid',
      amount_paid_cents: 2_000,
      version: 2,
    });
    await reserve(booking.id, { paymentId: second, amountCents: 3_000 });
    await settle(booking.id, second);
    expect(await read(booking)).toMatchObject({ payment_status: 'paid', amount_paid_cents: 5_000, version: 3 });
  });

  it('of a failure releases the reserved amount', async () => {
    const booking = await create();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    // No amount would be right now.
    expect(await rejectionOf(reserve(booking.id, { amountCents: 1 }))).toMatchObject({
      reason: 'amount_exceeds_due',
      message: expect.stringMatching(/^Payments in progress or authorized cover all that is due/),
    });
    await settle(booking.id, paymentId, 'failed');
    expect(await read(booking)).toMatchObject({ payment_status: 'failed', amount_paid_cents: 0, version: 2 });
    await reserve(booking.id);
  });

  it('is rejected for a payment without a reservation', async () => {
    const booking = await create();
    expect((await rejectionOf(settle(booking.id, newId('pay')))).reason).toBe('not_found');
    expect((await rejectionOf(settle(newId('bkg'), newId('pay'), 'failed'))).details.field).toBe('bookingId');
    expect((await rejectionOf(settle(newId('bkg'), newId('pay')))).reason).toBe('not_found');
  });

  it('is rejected for a second, different outcome', async () => {
    const booking = await create();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId, 'failed');
    expect((await rejectionOf(settle(booking.id, paymentId, 'succeeded'))).reason).toBe('invalid_state');
  });
});

describe('a refund by the school', () => {
  const paidBooking = async () => {
    const booking = await create();
    return { booking, paymentId: await pay(booking) };
  };
  const refund = (
    input: Partial<InputOf<typeof reserveRefund>> & { bookingId: string; paymentId: string },
    principal = fixture.school,
  ) =>
    fixture.harness.call(
      reserveRefund,
      { refundId: newId('rfd'), amountCents: null, dryRun: false, ...input },
      { principal },
    );
  const refunded = (bookingId: string, refundId: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
    fixture.harness.call(settleRefund, { bookingId, refundId, outcome }, { principal: fixture.school });

  it('counts once it has succeeded, and leaves nothing due', async () => {
    const { booking, paymentId } = await paidBooking();
    const refundId = newId('rfd');
    const request = { bookingId: booking.id, paymentId, refundId, amountCents: 2_000 };
    expect(await refund({ ...request, dryRun: true })).toEqual({ amountCents: 2_000, refundableCents: 5_000 });
    expect(await refund(request)).toEqual({ amountCents: 2_000, refundableCents: 5_000 });
    expect(await refund(request)).toEqual({ amountCents: 2_000, refundableCents: 5_000 });
    expect(await read(booking)).toMatchObject({ payment_status: 'paid', amount_paid_cents: 5_000 });
    for (let times = 0; times < 2; times++) await refunded(booking.id, refundId);
    expect(await read(booking)).toMatchObject({
      payment_status: 'partially_refunded',
      amount_cents: 5_000,
      amount_paid_cents: 3_000,
      amount_due_cents: 0,
    });
    expect((await rejectionOf(refunded(booking.id, refundId, 'failed'))).reason).toBe('invalid_state');
  });

  it('is limited to the rest of the payment', async () => {
    const { booking, paymentId } = await paidBooking();
    await refund({ bookingId: booking.id, paymentId, amountCents: 4_000 });
    const over = await rejectionOf(refund({ bookingId: booking.id, paymentId, amountCents: 1_001 }));
    expect(over).toMatchObject({ reason: 'amount_exceeds_refundable', details: { refundable_cents: 1_000 } });
    expect(await refund({ bookingId: booking.id, paymentId })).toEqual({ amountCents: 1_000, refundableCents: 1_000 });
  });

  it('is rejected for its payer, for strangers, and for payments that are not charged', async () => {
    const { booking, paymentId } = await paidBooking();
    const request = { bookingId: booking.id, paymentId };
    expect((await rejectionOf(refund(request, fixture.family))).reason).toBe('school_only');
    expect((await rejectionOf(refund(request, aPrincipal()))).reason).toBe('not_found');
    expect((await rejectionOf(refund({ bookingId: booking.id, paymentId: newId('pay') }))).reason).toBe('not_found');
    const held = await create();
    await reserve(held.id, { paymentId: request.paymentId });
    expect((await rejectionOf(refund({ bookingId: held.id, paymentId }))).reason).toBe('invalid_state');
    expect((await rejectionOf(refunded(booking.id, newId('rfd')))).reason).toBe('not_found');
  });

  it('is rejected when its failure arrived before', async () => {
    const { booking, paymentId } = await paidBooking();
    const refundId = newId('rfd');
    await refunded(booking.id, refundId, 'failed');
    expect((await rejectionOf(refund({ bookingId: booking.id, paymentId, refundId }))).reason).toBe('invalid_state');
  });
});
