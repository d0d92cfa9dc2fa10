import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, createBooking, getBooking, paidOfBooking, reservePayment, settlePayment } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from './harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const create = (changes: Partial<BookingInput> = {}): Promise<Booking> =>
  fixture.harness.call(createBooking, fixture.bookingInput(changes), { principal: fixture.family });

/** A booking of 5000 cents that requires prepayment. */
const prepaid = (): Promise<Booking> =>
  create({ instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true }) });

const read = ({ id }: Booking): Promise<Booking> =>
  fixture.harness.call(getBooking, { booking_id: id }, { principal: fixture.family });

interface Reservation {
  paymentId?: string;
  amountCents?: number;
  currency?: string;
  dryRun?: boolean;
}

const reserve = (bookingId: string, reservation: Reservation = {}, options: RequestOptions = {}) =>
  fixture.harness.call(
    reservePayment,
    { bookingId, paymentId: newId('pay'), amountCents: 5_000, currency: 'USD', dryRun: false, ...reservation },
    { principal: fixture.family, ...options },
  );

const settle = (bookingId: string, paymentId: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  fixture.harness.call(settlePayment, { bookingId, paymentId, outcome }, { principal: fixture.family });

/** Ends the time to pay; returns the expired booking. */
const expires = (booking: Booking): Promise<Booking> =>
  until(async () => {
    await fixture.letLapse({ _id: booking.id });
    const now = await read(booking);
    return now.status === 'expired' ? now : null;
  }, 'the booking expires');

/** Ends the time to pay, and lets recovery process the booking this many times more. */
async function lookedAt({ id }: Booking, times: number): Promise<void> {
  const attempt = async () => Number((await fixture.stored(id))?.attempt);
  for (let time = 0; time < times; time++) {
    const before = await attempt();
    await fixture.letLapse({ _id: id });
    await until(async () => (await attempt()) > before, 'recovery looks at it');
  }
}

describe('the paid amount of a booking', () => {
  const paid = (bookingId: string, principal = fixture.family) =>
    fixture.harness.call(paidOfBooking, { bookingId }, { principal });

  it('excludes reserved and declined payments, and is readable by the school too', async () => {
    const { id } = await create();
    const [came, underWay, declined] = [newId('pay'), newId('pay'), newId('pay')];
    await reserve(id, { paymentId: came, amountCents: 2_000 });
    await reserve(id, { paymentId: declined, amountCents: 1_000 });
    await reserve(id, { paymentId: underWay, amountCents: 1_500 });
    expect(await paid(id)).toEqual({ paidCents: 0 });
    await settle(id, came);
    await settle(id, declined, 'failed');
    expect(await paid(id)).toEqual({ paidCents: 2_000 });
    expect(await paid(id, fixture.school)).toEqual({ paidCents: 2_000 });
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
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId);
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
    expect((await rejectionOf(reserve(booking.id))).reason).toBe('amount_exceeds_due');
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

describe('a booking that requires prepayment', () => {
  it('is confirmed by its last cent, and publishes an event', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId);
    const confirmed = await read(booking);
    expect(confirmed).toMatchObject({ status: 'confirmed', payment_status: 'paid', expires_at: null, version: 2 });
    const [, event] = await fixture.recorder.atLeast(2, booking.id);
    const { notes: _, ...object } = confirmed;
    expect(event).toMatchObject({ type: 'booking.confirmed', n: 2, object });
  });

  it('expires: its times are free, it accepts no payments, and it publishes an event', async () => {
    const booking = await prepaid();
    const lastsMinutes = (Date.parse(booking.expires_at!) - Date.parse(booking.created_at)) / 60_000;
    expect(Math.round(lastsMinutes)).toBe(15);
    expect((await fixture.stored(booking.id))?.nextAt).toEqual(new Date(booking.expires_at!));
    const expired = await expires(booking);
    expect(expired).toMatchObject({ version: 2, sessions: [{ status: 'cancelled' }] });
    const [, event] = await fixture.recorder.atLeast(2, booking.id);
    const { notes: _, ...object } = expired;
    expect(event).toMatchObject({
      type: 'booking.expired',
      object,
      audience: [fixture.family.accountId, fixture.school.accountId],
    });
    expect(await rejectionOf(reserve(booking.id))).toMatchObject({ code: 'CONFLICT', reason: 'invalid_state' });
    expect(await create({ instructor_id: booking.instructor_id })).toMatchObject({
      sessions: [{ date: booking.sessions[0]!.date }],
    });
    expect(fixture.calendar.confirmedSessions(booking.id)[0]?.cancellation?.cancelled_by).toBe(
      fixture.school.accountId,
    );
  });

  it('does not expire while a payment is in progress, and is confirmed when that succeeds', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await lookedAt(booking, 2);
    expect((await read(booking)).status).toBe('pending');
    await settle(booking.id, paymentId);
    expect((await read(booking)).status).toBe('confirmed');
  });

  it('expires when the payment in progress fails', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await lookedAt(booking, 1);
    await settle(booking.id, paymentId, 'failed');
    expect(await expires(booking)).toMatchObject({ payment_status: 'failed' });
  });

  it('rejects a reservation that arrives after its withdrawal, accepts another payment, and expires in time', async () => {
    const [paid, unpaid] = [await prepaid(), await prepaid()];
    const late = newId('pay');
    for (const booking of [paid, unpaid]) {
      await settle(booking.id, late, 'failed');
      await settle(booking.id, late, 'failed');
      expect(await read(booking)).toMatchObject({ status: 'pending', payment_status: 'unpaid', version: 1 });
      expect((await rejectionOf(reserve(booking.id, { paymentId: late }))).reason).toBe('invalid_state');
    }
    const next = newId('pay');
    await reserve(paid.id, { paymentId: next });
    await settle(paid.id, next);
    expect(await read(paid)).toMatchObject({ status: 'confirmed', payment_status: 'paid' });
    expect(await expires(unpaid)).toMatchObject({ payment_status: 'unpaid' });
  });

  it('no longer expires once a part is paid', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId, amountCents: 1 });
    await settle(booking.id, paymentId);
    expect(await read(booking)).toMatchObject({
      status: 'pending',
      payment_status: 'partially_paid',
      expires_at: null,
    });
    expect((await fixture.stored(booking.id))?.nextAt).toBeNull();
  });

  it('expires after an outage of scheduling during its cancellation, and accepts no payments meanwhile', async () => {
    fixture.calendar.disturb('cancel', {
      before: () => {
        throw new AppError('unavailable');
      },
    });
    const booking = await prepaid();
    await fixture.letLapse({ _id: booking.id });
    await until(async () => (await fixture.stored(booking.id))?.freeing, 'it is closed to money');
    expect((await rejectionOf(reserve(booking.id))).reason).toBe('invalid_state');
    expect((await read(booking)).status).toBe('pending');
    await lookedAt(booking, 2);
    fixture.calendar.calm();
    await expires(booking);
  });

  it('keeps a session that was completed', async () => {
    const booking = await prepaid();
    fixture.calendar.confirmedSessions(booking.id)[0]!.status = 'completed';
    expect(await expires(booking)).toMatchObject({ sessions: [{ status: 'completed' }] });
  });
});
