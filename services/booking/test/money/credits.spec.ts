import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Booking,
  type Credit,
  cancelBooking,
  createBooking,
  getBooking,
  type InputOf,
  listCredits,
  quoteBookingCancellation,
  sessionAttendanceRecorded,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, publishEvent, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create: createAt, pay, read, refundsOf } = moneyIn(() => fixture);
const asFamily = (): RequestOptions => ({ principal: fixture.family });
const create = (changes: Partial<BookingInput> = {}) => createAt({ sessions: times(3), ...changes });
const cancel = ({ id }: Booking, refund_as: 'credit' | 'payment_method' = 'payment_method', options = asFamily()) =>
  fixture.harness.call(cancelBooking, { booking_id: id, refund_as }, options);
const list = async (
  query: Partial<InputOf<typeof listCredits>> = {},
  principal = fixture.family,
): Promise<Credit[]> => {
  const input = { account_id: principal.accountId, limit: 100, ...query };
  return (await fixture.harness.call(listCredits, input, { principal })).items;
};
const credits = () =>
  fixture.harness.database('booking_test').collection<{ _id: string; dueAt: Date | null }>('credits');
const readCredit = async (id: string): Promise<Credit> => (await list()).find((credit) => credit.id === id)!;
const stored = (id: string) => credits().findOne({ _id: id });

/** The credit of a booking of 5000 cents that was paid and cancelled. */
async function aCredit(changes: Partial<BookingInput> = {}): Promise<Credit> {
  const booking = await create(changes);
  await pay(booking);
  await cancel(booking, 'credit');
  const sessions = new Set(booking.session_ids);
  return until(async () => (await list()).find(({ session_id }) => sessions.has(session_id)), 'the credit is made');
}

const becomes = (id: string, expected: Partial<Credit>) =>
  until(
    async () => {
      const credit = await readCredit(id);
      return Object.entries(expected).every(([key, value]) => credit[key as keyof Credit] === value) ? credit : null;
    },
    `the credit becomes ${JSON.stringify(expected)}`,
  );

describe('a cancellation with refund_as: credit', () => {
  it('gives what would be refunded as a credit, and refunds nothing', async () => {
    const booking = await create();
    await pay(booking);
    const quote = await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily());
    expect(quote).toMatchObject({ refund_cents: 5_000, credit_returned_cents: 0, makeup_credit: true });
    expect(quote.sessions).toMatchObject([{ refund_cents: 5_000, makeup_credit: true }]);
    expect(await cancel(booking, 'credit')).toMatchObject({
      status: 'cancelled',
      payment_status: 'refunded',
      amount_paid_cents: 0,
    });
    const [session] = fixture.calendar.confirmedSessions(booking.id);
    const credit = await until(
      async () => (await list()).find(({ session_id }) => session_id === session!.id),
      'the credit is made',
    );
    const { expires_at, created_at, updated_at } = credit;
    expect(credit).toEqual({
      object: 'makeup_credit',
      id: session!.cancellation!.makeup_credit,
      account_id: fixture.family.accountId,
      member_id: booking.member_ids[0],
      school_id: fixture.school.accountId,
      session_id: session!.id,
      amount_cents: 5_000,
      issued_cents: 5_000,
      currency: 'USD',
      status: 'available',
      booking_id: null,
      ...{ expires_at, created_at, updated_at },
    });
    const days = (Date.parse(expires_at) - Date.parse(created_at)) / (24 * 3_600_000);
    expect(days).toBeCloseTo(180, 3);
    expect(refundsOf(booking)).toEqual([]);
    expect((await list({}, fixture.school)).map(({ id }) => id)).toContain(credit.id);
  });

  it('gives none when nothing was paid', async () => {
    const booking = await create();
    expect(await cancel(booking, 'credit')).toMatchObject({ status: 'cancelled' });
    expect(fixture.calendar.confirmedSessions(booking.id)[0]!.cancellation!.makeup_credit).toBeNull();
    expect((await fixture.stored(booking.id))!.issues ?? []).toEqual([]);
  });

  it('is rejected where the policy gave none when it was booked', async () => {
    const policies = { makeupCredits: false };
    const booking = await create({
      instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, policies),
    });
    await pay(booking);
    const quote = await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily());
    expect(quote).toMatchObject({ refund_cents: 5_000, makeup_credit: false });
    expect(await rejectionOf(cancel(booking, 'credit'))).toMatchObject({
      code: 'CONFLICT',
      reason: 'credits_not_offered',
      details: { field: 'refund_as' },
    });
    expect(await read(booking)).toMatchObject({ status: 'confirmed' });
  });
});

describe('an excused lesson that is paid', () => {
  it('gives its price as a credit, once its attendance is final', async () => {
    const booking = await create();
    await pay(booking);
    const session = fixture.calendar.confirmedSessions(booking.id)[0]!;
    Object.assign(session, { attendance: 'excused', version: session.version + 1 });
    const { notes: _, ...object } = session;
    const audience = [fixture.family.accountId, fixture.school.accountId];
    await publishEvent(fixture.harness, sessionAttendanceRecorded, { object, audience, n: session.version });
    const given = await until(
      async () => (await list()).find(({ session_id }) => session_id === session.id),
      'the credit is made',
    );
    expect(given).toMatchObject({ amount_cents: 5_000, status: 'available', member_id: session.member_id });
    expect(fixture.calendar.final.has(session.id)).toBe(true);
    expect(await read(booking)).toMatchObject({
      amount_cents: 5_000,
      amount_paid_cents: 5_000,
      payment_status: 'paid',
    });
  });
});

describe('a booking with makeup_credit_id', () => {
  it('is paid by the credit for any member of the account, and the rest of the credit remains', async () => {
    const credit = await aCredit();
    const half = await create({ sessions: [{ ...times(5)[0]!, duration_minutes: 30 }], makeup_credit_id: credit.id });
    expect(half).toMatchObject({
      status: 'confirmed',
      payment_status: 'paid',
      amount_cents: 2_500,
      amount_paid_cents: 0,
      amount_credited_cents: 2_500,
      amount_due_cents: 0,
      makeup_credit_id: credit.id,
    });
    await becomes(credit.id, { amount_cents: 2_500, status: 'available', booking_id: half.id });
    const whole = await create({ makeup_credit_id: credit.id });
    expect(whole).toMatchObject({ payment_status: 'partially_paid', amount_due_cents: 2_500 });
    await becomes(credit.id, { amount_cents: 0, status: 'spent', booking_id: whole.id });
    const settled = await until(async () => {
      const now = await stored(credit.id);
      return now?.dueAt === null ? now : null;
    }, 'nothing is reserved any more');
    expect(await rejectionOf(create({ makeup_credit_id: credit.id }))).toMatchObject({
      code: 'CONFLICT',
      reason: 'invalid_state',
      details: { field: 'makeup_credit_id', status: 'spent' },
    });
    expect(settled).toMatchObject({ spends: [{ state: 'spent' }, { state: 'spent' }] });
  });

  it('is confirmed at once when the credit covers its prepayment, and waits for the rest otherwise', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
    const [one, two] = [await aCredit(), await aCredit()];
    expect(await create({ instructor_id, makeup_credit_id: one.id })).toMatchObject({
      status: 'confirmed',
      payment_status: 'paid',
      expires_at: null,
    });
    const waiting = await create({ instructor_id, sessions: times(4, 5), makeup_credit_id: two.id });
    expect(waiting).toMatchObject({ status: 'pending', amount_due_cents: 5_000 });
    await fixture.letLapse({ _id: waiting.id });
    await until(async () => (await read(waiting)).status === 'expired', 'it expires');
    expect(await becomes(two.id, { amount_cents: 5_000, booking_id: null })).toMatchObject({ status: 'available' });
  });

  it('gives what a cancellation returns to the payment method first, and the rest to the credit', async () => {
    const credit = await aCredit();
    const booking = await create({ sessions: times(4, 5), makeup_credit_id: credit.id });
    await pay(booking, 5_000);
    const quote = await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily());
    expect(quote).toMatchObject({ fee_cents: 0, refund_cents: 5_000, credit_returned_cents: 5_000 });
    expect(await cancel(booking)).toMatchObject({ payment_status: 'refunded', amount_credited_cents: 0 });
    await becomes(credit.id, { amount_cents: 5_000, status: 'available' });
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ amountCents: 5_000 }]);
  });

  it('validates a dry run with the credit, and reserves nothing', async () => {
    const credit = await aCredit();
    const input = fixture.bookingInput({ sessions: times(3), makeup_credit_id: credit.id });
    expect(await fixture.harness.call(createBooking, input, { ...asFamily(), dryRun: true })).toMatchObject({
      amount_due_cents: 0,
      amount_credited_cents: 5_000,
      payment_status: 'paid',
    });
    expect(await readCredit(credit.id)).toMatchObject({ amount_cents: 5_000, booking_id: null });
  });

  it('releases the credit when a date is taken', async () => {
    const credit = await aCredit();
    const taken = await create();
    const rejected = create({ instructor_id: taken.instructor_id, makeup_credit_id: credit.id });
    expect((await rejectionOf(rejected)).reason).toBe('conflicting_dates');
    await becomes(credit.id, { amount_cents: 5_000, booking_id: null, status: 'available' });
  });

  it('is rejected for a credit of another school, account or currency, for an unknown and an expired one', async () => {
    const credit = await aCredit();
    const reasonOf = async (changes: Partial<BookingInput>, options?: RequestOptions) => {
      const input = fixture.bookingInput({ sessions: times(3), makeup_credit_id: credit.id, ...changes });
      const { reason, code, details } = await rejectionOf(
        fixture.harness.call(createBooking, input, { ...asFamily(), ...options }),
      );
      return [code, reason, details.field];
    };
    const instructorOf = (schoolId: string, changes = {}) => fixture.people.anInstructor(schoolId, changes);
    const elsewhere = aPrincipal({ kind: 'school' });
    const invalid = (reason: string) => ['VALIDATION_ERROR', reason, 'makeup_credit_id'];
    expect(await reasonOf({ instructor_id: instructorOf(elsewhere.accountId) })).toEqual(
      invalid('credit_of_other_school'),
    );
    const inEuros = instructorOf(fixture.school.accountId, { currency: 'EUR' });
    expect(await reasonOf({ instructor_id: inEuros })).toEqual(invalid('currency_mismatch'));
    expect(await reasonOf({ makeup_credit_id: newId('crd') })).toEqual(invalid('not_found'));
    const stranger = aPrincipal();
    const own = [fixture.people.aMember(stranger.accountId, [fixture.school.accountId])];
    expect(await reasonOf({ member_ids: own }, { principal: stranger })).toEqual(invalid('not_found'));
    // The school sees the credit, but it is another family's.
    expect(await reasonOf({ member_ids: own }, { principal: fixture.school })).toEqual(invalid('not_found'));
    await credits().updateOne({ _id: credit.id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await reasonOf({})).toEqual(['CONFLICT', 'invalid_state', 'makeup_credit_id']);
    expect((await list({ status: 'expired' })).map(({ id }) => id)).toEqual([credit.id]);
  });

  it('shares one credit with concurrent bookings: together they use at most its amount', async () => {
    const credit = await aCredit();
    const made = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        create({ sessions: [{ ...times(n + 3)[0]!, duration_minutes: 45 }], makeup_credit_id: credit.id }),
      ),
    );
    const booked = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(booked.reduce((sum, each) => sum + each.amount_credited_cents, 0)).toBe(5_000);
    for (const each of made.filter(({ status }) => status === 'rejected'))
      expect(['invalid_state', 'change_in_progress']).toContain(
        ((each as PromiseRejectedResult).reason as AppError).reason,
      );
    await becomes(credit.id, { amount_cents: 0, status: 'spent' });
  });

  it('answers the same under its key, and uses the credit once', async () => {
    const credit = await aCredit();
    const input = fixture.bookingInput({ sessions: times(3), makeup_credit_id: credit.id });
    const options = { ...asFamily(), idempotencyKey: newId('req') };
    const all = await Promise.all(
      Array.from({ length: 4 }, () => fixture.harness.insist(createBooking, input, options)),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await fixture.harness.call(getBooking, { booking_id: all[0]!.id }, asFamily())).toMatchObject({
      amount_credited_cents: 5_000,
    });
    expect(await stored(credit.id)).toMatchObject({ leftCents: 0 });
  });
});

describe('the list of credits', () => {
  it('filters by status and by the time of the last change, in pages', async () => {
    const one = await aCredit();
    const two = await aCredit();
    const ids = async (query: Partial<InputOf<typeof listCredits>>) => (await list(query)).map(({ id }) => id);
    expect((await ids({ status: 'available,spent' })).slice(0, 2)).toEqual([two.id, one.id]);
    expect(await ids({ status: 'available', limit: 1 })).toEqual([two.id]);
    expect(await ids({ updated_from: two.updated_at })).toContain(two.id);
    expect(await ids({ updated_to: two.updated_at })).not.toContain(two.id);
    await create({ makeup_credit_id: one.id });
    await becomes(one.id, { status: 'spent' });
    expect(await ids({ status: 'available' })).not.toContain(one.id);
    expect((await ids({ status: 'spent' }))[0]).toBe(one.id);
    expect(await list({}, aPrincipal())).toEqual([]);
    expect(await ids({ ids: `${two.id},${newId('crd')}` })).toEqual([two.id]);
    const reversed = { updated_from: two.updated_at, updated_to: '2020-01-01' };
    expect(await rejectionOf(list(reversed))).toMatchObject({ reason: 'range_reversed' });
    const foreign = { account_id: fixture.school.accountId };
    expect((await rejectionOf(list(foreign))).reason).toBe('foreign_account');
  });
});
