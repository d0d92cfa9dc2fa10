import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, type Session, sessionCompleted, sessionRescheduled } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { publishEvent, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from './money.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, prepaid, read, reserve, settle, refundsOf } = moneyIn(() => fixture);

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

describe('a booking that requires prepayment', () => {
  it('is confirmed by its last cent, and publishes an event', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId);
    const confirmed = await read(booking);
    expect(confirmed).toMatchObject({ status: 'confirmed', payment_status: 'paid', expires_at: null, version: 2 });
    const [, event] = await fixture.recorder.atLeast(2, booking.id);
    const { notes: _, metadata: __, ...object } = confirmed;
    const { expires_at, payment_status, amount_paid_cents, amount_due_cents } = booking;
    const previous = { status: 'pending', expires_at, payment_status, amount_paid_cents, amount_due_cents };
    expect(event).toMatchObject({ type: 'booking.confirmed', n: 2, object });
    expect(event!.previous).toEqual(previous);
  });

  it('expires: its times are free, it accepts no payments, and it publishes an event', async () => {
    const booking = await prepaid();
    const lastsMinutes = (Date.parse(booking.expires_at!) - Date.parse(booking.created_at)) / 60_000;
    expect(Math.round(lastsMinutes)).toBe(15);
    expect((await fixture.stored(booking.id))?.nextAt).toEqual(new Date(booking.expires_at!));
    const expired = await expires(booking);
    expect(expired).toMatchObject({ version: 2, sessions: [{ status: 'cancelled' }] });
    const [, event] = await fixture.recorder.atLeast(2, booking.id);
    const { notes: _, metadata: __, ...object } = expired;
    expect(event).toMatchObject({
      type: 'booking.expired',
      object,
      previous: { status: 'pending', expires_at: booking.expires_at, sessions: [{ status: 'scheduled' }] },
      audience: [fixture.family.accountId, fixture.school.accountId],
    });
    expect(await rejectionOf(reserve(booking.id))).toMatchObject({ code: 'CONFLICT', reason: 'invalid_state' });
    expect(await create({ instructor_id: booking.instructor_id })).toMatchObject({
      sessions: [{ date: booking.sessions[0]!.date }],
    });
    expect(fixture.calendar.confirmedSessions(booking.id)[0]?.cancellation).toMatchObject({
      cancelled_by: fixture.school.accountId,
      participants_notified: false,
      fee_cents: 0,
    });
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

  it('expires with a part paid: the part is refunded, also after an outage of payment', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId, amountCents: 4_999 });
    await settle(booking.id, paymentId);
    expect(await read(booking)).toMatchObject({
      status: 'pending',
      payment_status: 'partially_paid',
      amount_due_cents: 1,
      expires_at: booking.expires_at,
    });
    fixture.payment.isDown = true;
    const expired = await expires(booking);
    expect(expired).toMatchObject({
      payment_status: 'refunded',
      amount_cents: 0,
      amount_paid_cents: 0,
      amount_due_cents: 0,
    });
    expect((await fixture.stored(booking.id))?.requestsAt).toBeInstanceOf(Date);
    fixture.payment.isDown = false;
    await fixture.letRequestsLapse(booking.id);
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ paymentId, amountCents: 4_999 }]);
    await until(
      async () => (await fixture.stored(booking.id))?.requestsAt === null,
      'the request is marked as accepted',
    );
  });

  it('voids an authorized payment when it expires, and refunds it when it is captured all the same', async () => {
    const booking = await prepaid();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId, 'authorized');
    expect(await read(booking)).toMatchObject({ status: 'pending', payment_status: 'authorized' });
    await expires(booking);
    await until(() => fixture.payment.voids.some((each) => each.paymentId === paymentId), 'the void is requested');
    await settle(booking.id, paymentId);
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ paymentId, amountCents: 5_000 }]);
    expect(await read(booking)).toMatchObject({ status: 'expired', payment_status: 'refunded' });
  });

  it('expires after an outage of scheduling during its cancellation, and accepts no payments meanwhile', async () => {
    fixture.calendar.disturb('cancelAll', {
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
});

describe('a booking whose time to pay ends after one of its lessons has begun', () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  /** A booking of three lessons that requires prepayment, of which the first has begun. */
  async function begun(): Promise<[Booking, Session]> {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
    const booking = await create({ instructor_id, sessions: times(1, 2, 3) });
    const [lesson] = fixture.calendar.confirmedSessions(booking.id);
    return [booking, await change(lesson!, { date: hoursAgo(0.5), end_date: hoursAgo(-0.5) })];
  }
  /** Changes a lesson in scheduling, which publishes it. */
  async function change(lesson: Session, changes: Partial<Session>): Promise<Session> {
    const { notes: _, ...object } = Object.assign(lesson, changes, { version: lesson.version + 1 });
    const audience = [fixture.family.accountId, fixture.school.accountId];
    const type = changes.status === 'completed' ? sessionCompleted : sessionRescheduled;
    await publishEvent(fixture.harness, type, { object, audience, n: lesson.version });
    return lesson;
  }
  const typesOf = ({ id }: Booking) => fixture.recorder.of(id).map(({ type }) => type);
  const becomes = (booking: Booking, status: Booking['status']) =>
    until(async () => ((await read(booking)).status === status ? read(booking) : null), `it is ${status}`);
  /** Ends the time to pay; returns the booking with what is left of it. */
  const ends = (booking: Booking) =>
    until(async () => {
      await fixture.letLapse({ _id: booking.id, expiresAt: new Date(booking.expires_at!) });
      const now = await read(booking);
      return now.expires_at === null && now.sessions.some(({ status }) => status === 'cancelled') ? now : null;
    }, 'the time to pay ends');

  it('keeps that lesson as due and releases the others', async () => {
    const [booking, lesson] = await begun();
    const left = await ends(booking);
    expect(left).toMatchObject({
      status: 'pending',
      payment_status: 'unpaid',
      amount_cents: 5_000,
      amount_due_cents: 5_000,
    });
    expect(left.sessions.map(({ status }) => status)).toEqual(['scheduled', 'cancelled', 'cancelled']);
    expect((await fixture.stored(booking.id))?.nextAt).toBeNull();
    await change(lesson, { status: 'completed' });
    expect(await becomes(booking, 'completed')).toMatchObject({ amount_due_cents: 5_000 });
    await fixture.recorder.atLeast(2, booking.id);
    expect(typesOf(booking)).toEqual(['booking.created', 'booking.completed']);
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId);
    expect(await read(booking)).toMatchObject({ status: 'completed', payment_status: 'paid' });
  });

  it('is completed when that lesson was given, and refunds what was paid beyond it', async () => {
    const [booking, lesson] = await begun();
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId, amountCents: 7_000 });
    await settle(booking.id, paymentId);
    await change(lesson, { status: 'completed' });
    const left = await ends(booking);
    expect(left).toMatchObject({ status: 'completed', payment_status: 'partially_refunded', amount_paid_cents: 5_000 });
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ paymentId, amountCents: 2_000 }]);
    await fixture.recorder.atLeast(3, booking.id);
    expect(typesOf(booking)).toEqual(['booking.created', 'booking.confirmed', 'booking.completed']);
  });

  it('is confirmed when that lesson is paid', async () => {
    const [booking] = await begun();
    await ends(booking);
    const paymentId = newId('pay');
    await reserve(booking.id, { paymentId });
    await settle(booking.id, paymentId);
    expect(await becomes(booking, 'confirmed')).toMatchObject({ payment_status: 'paid', amount_cents: 5_000 });
  });

  it('has a time to pay again once that lesson is moved to a time to come, at whose end it expires', async () => {
    const [booking, lesson] = await begun();
    await ends(booking);
    await change(lesson, { date: hoursAgo(-48), end_date: hoursAgo(-49) });
    const moved = await until(
      async () => ((await read(booking)).expires_at ? read(booking) : null),
      'it is to be prepaid',
    );
    expect(moved).toMatchObject({ status: 'pending', amount_due_cents: 5_000 });
    expect((await fixture.stored(booking.id))?.nextAt).toEqual(new Date(moved.expires_at!));
    expect(await expires(booking)).toMatchObject({ amount_cents: 0, payment_status: 'unpaid' });
  });
});
