import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type Booking,
  cancelBooking,
  createBooking,
  quoteBookingCancellation,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
  sessionRescheduled,
  sessionUpdated,
} from '@swim/contracts';
import { TooEarly } from '@swim/platform';
import { ofSeveralTries, rejectionOf, until } from '@swim/testing';
import { DraftsRepository } from '../../src/bookings/drafts/drafts.repository.js';
import { SessionsFollower } from '../../src/bookings/following/sessions-follower.service.js';
import { type BookingFixture, gate, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';
import { cancelledBy, change, sessionsIn } from './session-events.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => fixture.stop());

const { create, pay, prepaid, read, reserve, refundsOf } = moneyIn(() => fixture);
const { becomes, publish, sessionsOf } = sessionsIn(() => fixture);

describe('a booking', () => {
  it('costs less when one of its sessions is cancelled, requests the refund, and ends with the last one', async () => {
    const booking = await create({ sessions: times(1, 2) });
    const paymentId = await pay(booking, 10_000);
    const [first, second] = sessionsOf(booking);
    await publish(sessionCancelled, change(first!, cancelledBy(fixture.family.accountId, 2_500)));
    await becomes(booking, { amount_cents: 7_500, amount_paid_cents: 7_500, payment_status: 'partially_refunded' });
    await publish(sessionCancelled, change(second!, cancelledBy(fixture.school.accountId)));
    const ended = await becomes(booking, { status: 'cancelled', amount_cents: 2_500, amount_paid_cents: 2_500 });
    await until(() => refundsOf(booking).length === 2, 'both refunds are requested');
    expect(refundsOf(booking)).toMatchObject([
      { paymentId, amountCents: 2_500 },
      { paymentId, amountCents: 5_000 },
    ]);
    const events = await fixture.recorder.atLeast(3, booking.id);
    const { notes: _, metadata: __, ...object } = ended;
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed', 'booking.cancelled']);
    expect(events[2]).toMatchObject({ object, cause: { accountId: fixture.family.accountId } });
    expect(await rejectionOf(reserve(booking.id))).toMatchObject({ code: 'CONFLICT', reason: 'invalid_state' });
  });

  it('is completed with the last of its sessions that take place', async () => {
    const booking = await create({ sessions: times(1, 2, 3) });
    const [first, second, third] = sessionsOf(booking);
    await publish(sessionCompleted, change(first!, { status: 'completed' }));
    await publish(sessionCancelled, change(second!, cancelledBy(fixture.family.accountId)));
    await publish(sessionCompleted, change(third!, { status: 'completed' }));
    const completed = await becomes(booking, { status: 'completed', amount_cents: 10_000, amount_due_cents: 10_000 });
    const events = await fixture.recorder.atLeast(3, booking.id);
    const { notes: _, metadata: __, ...object } = completed;
    expect(events[2]).toMatchObject({ type: 'booking.completed', object });
    await pay(booking, 10_000);
    expect(await read(booking)).toMatchObject({ payment_status: 'paid' });
  });

  it('costs what its sessions cost after they were moved', async () => {
    const booking = await create();
    await pay(booking);
    const [session] = sessionsOf(booking);
    await publish(sessionRescheduled, change(session!, { duration_minutes: 90, price_cents: 7_500 }));
    await becomes(booking, { amount_cents: 7_500, amount_due_cents: 2_500, payment_status: 'partially_paid' });
    await publish(sessionRescheduled, change(session!, { duration_minutes: 30, price_cents: 2_500 }));
    await becomes(booking, { amount_cents: 2_500, amount_due_cents: 0, amount_paid_cents: 2_500 });
    await until(() => refundsOf(booking).length === 1, 'the excess is requested');
  });

  it('keeps of a missed session the fee of the policies when it was booked', async () => {
    const policies = { noShowFeePercent: 40 };
    const booking = await create({
      instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, policies),
    });
    await pay(booking);
    policies.noShowFeePercent = 100;
    await publish(sessionAttendanceRecorded, change(sessionsOf(booking)[0]!, { attendance: 'no_show' }));
    await becomes(booking, { amount_cents: 2_000, amount_paid_cents: 2_000, amount_due_cents: 0 });
  });

  it('refunds what a missed session costs less, once its attendance is final', async () => {
    const policies = { noShowFeePercent: 40 };
    const booking = await create({
      instructor_id: fixture.people.anInstructor(fixture.school.accountId, {}, policies),
    });
    await pay(booking);
    const [session] = sessionsOf(booking);
    const finalize = gate();
    fixture.calendar.disturb('finalize', { before: finalize.passed });
    await publish(sessionAttendanceRecorded, change(session!, { attendance: 'no_show' }));
    await becomes(booking, { amount_cents: 2_000, amount_paid_cents: 5_000, amount_due_cents: 0 });
    await finalize.reached;
    // The school corrects it before it is final.
    await publish(sessionAttendanceRecorded, change(session!, { attendance: 'attended' }));
    await becomes(booking, { amount_cents: 5_000 });
    finalize.open();
    await until(() => fixture.calendar.calls.includes('finalize'), 'the request arrives');
    expect(fixture.calendar.final.has(session!.id)).toBe(false);
    fixture.calendar.calm();
    await publish(sessionAttendanceRecorded, change(session!, { attendance: 'no_show' }));
    await becomes(booking, { amount_cents: 2_000, amount_paid_cents: 2_000 });
    expect(fixture.calendar.final.has(session!.id)).toBe(true);
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ amountCents: 3_000 }]);
  });

  it('does not confirm a prepayment because its lesson was missed unpaid, nor shows it as paid', async () => {
    const booking = await prepaid();
    await publish(sessionAttendanceRecorded, change(sessionsOf(booking)[0]!, { attendance: 'no_show' }));
    await becomes(booking, { amount_cents: 0, amount_due_cents: 0, status: 'pending', payment_status: 'unpaid' });
  });

  it('quotes and cancels the other lesson by what was paid after a lesson was missed without a fee', async () => {
    const soon = [5, 8].map((hours) => ({
      date: new Date(Date.now() + hours * 3_600_000).toISOString(),
      duration_minutes: 60,
    }));
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { noShowFeePercent: 0 });
    const booking = await create({ instructor_id, sessions: soon });
    const [missed, other] = sessionsOf(booking);
    const past = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const begun = { date: past(2), end_date: past(1), attendance: 'no_show' as const };
    await publish(sessionAttendanceRecorded, change(missed!, begun));
    await becomes(booking, { amount_cents: 5_000, amount_due_cents: 5_000 });
    await pay(booking);
    const asFamily = { principal: fixture.family };
    const returned = { fee_cents: 2_500, refund_cents: 2_500, makeup_credit: true };
    expect(await fixture.harness.call(quoteBookingCancellation, { booking_id: booking.id }, asFamily)).toMatchObject({
      ...returned,
      sessions: [{ session_id: other!.id, ...returned }],
    });
    await fixture.harness.call(cancelBooking, { booking_id: booking.id, refund_as: 'credit' }, asFamily);
    await becomes(booking, { amount_cents: 2_500, amount_paid_cents: 2_500, amount_due_cents: 0 });
    expect(fixture.calendar.final.has(missed!.id)).toBe(true);
    expect((await fixture.stored(booking.id))!.issues).toMatchObject([
      { id: other!.cancellation!.makeup_credit, sessionId: other!.id, amountCents: 2_500 },
    ]);
    expect(refundsOf(booking)).toEqual([]);
  });

  it('leaves the attendance open while no money follows it', async () => {
    const booking = await create();
    await pay(booking);
    const [session] = sessionsOf(booking);
    await publish(sessionAttendanceRecorded, change(session!, { attendance: 'no_show' }));
    await until(
      async () =>
        ((await fixture.stored(booking.id))!.movements as { kind: string }[]).some(({ kind }) => kind === 'fee'),
      'the fee is kept',
    );
    await publish(sessionAttendanceRecorded, change(session!, { attendance: 'attended' }));
    await until(
      async () => ((await fixture.stored(booking.id))!.movements as unknown[]).length === 3,
      'the fee is corrected',
    );
    expect(await read(booking)).toMatchObject({
      amount_cents: 5_000,
      amount_paid_cents: 5_000,
      payment_status: 'paid',
    });
    expect(fixture.calendar.calls).not.toContain('finalize');
  });

  it('records in a cancelled session the refund that it caused', async () => {
    const booking = await create();
    await pay(booking);
    const [session] = sessionsOf(booking);
    await publish(sessionCancelled, change(session!, cancelledBy(fixture.school.accountId)));
    const recorded = await until(() => session!.cancellation?.refund_id, 'the refund is recorded');
    await until(() => refundsOf(booking).length > 0, 'the refund is requested');
    expect(refundsOf(booking)).toMatchObject([{ refundId: recorded, amountCents: 5_000 }]);
    await until(async () => (await fixture.stored(booking.id))!.requestsAt === null, 'nothing is left to request');
  });

  it('is the same for any order of the events, delivered once or twice', async () => {
    const booking = await create();
    const [session] = sessionsOf(booking);
    const longer = { ...change(session!, { price_cents: 9_000 }) };
    const shorter = { ...change(session!, { price_cents: 1_000 }) };
    await publish(sessionUpdated, shorter);
    await becomes(booking, { amount_cents: 1_000 });
    for (const state of [longer, shorter, longer]) await publish(sessionUpdated, state);
    const last = await create();
    await publish(sessionUpdated, change(sessionsOf(last)[0]!, { price_cents: 1 }));
    await becomes(last, { amount_cents: 1 });
    expect(await read(booking)).toMatchObject({ amount_cents: 1_000, version: 2 });
  });

  /** A booking whose session changes after the claim was answered; `passed` holds the claim back. */
  function changesWhileMade(passed: () => Promise<void>): Promise<Booking> {
    const input = fixture.bookingInput();
    fixture.calendar.disturb('claim', {
      after: async () => {
        const session = fixture.calendar.allSessions.find(({ member_id }) => member_id === input.member_ids[0])!;
        // The response has the session as it was booked.
        const claim = fixture.calendar.claims.get(session.booking_id!)!;
        claim.sessions = [{ ...session }];
        await publish(sessionUpdated, change(claim.sessions[0]!, { price_cents: 700 }));
        await passed();
      },
    });
    return fixture.harness.call(createBooking, input, { principal: fixture.family });
  }

  const followsMaking = async () => {
    const { passed, open } = gate();
    const { mock } = jest.spyOn(fixture.service.app.get(SessionsFollower, { strict: false }), 'store').mockClear();
    const isEarly = async () => {
      const outcomes = await Promise.allSettled(mock.results.map(({ value }) => value));
      return outcomes.some((outcome) => outcome.status === 'rejected' && outcome.reason instanceof TooEarly);
    };
    const created = changesWhileMade(passed);
    await Promise.race([until(isEarly, 'the event has come too early'), created]);
    open();
    await becomes(await created, { amount_cents: 700 });
  };
  // The event must come before the deadline of the request.
  it('follows a session that changes while the booking is being made', () => ofSeveralTries(followsMaking));

  const followsMade = async () => {
    const { passed, open } = gate();
    const drafts = fixture.service.app.get(DraftsRepository, { strict: false });
    const find = drafts.find.bind(drafts);
    const created = changesWhileMade(passed);
    jest.spyOn(drafts, 'find').mockImplementation(async (id) => {
      open();
      await created;
      return find(id);
    });
    await becomes(await created, { amount_cents: 700 });
  };
  it('follows a session that changes while the booking is being made, which is made between its two reads', () =>
    ofSeveralTries(followsMade));

  it('of 52 sessions follows all of them by few writes', async () => {
    const booking = await create({ sessions: times(...Array.from({ length: 52 }, (_, day) => day + 1)) });
    await Promise.all(
      sessionsOf(booking).map((session) =>
        publish(sessionCancelled, change(session, cancelledBy(fixture.family.accountId))),
      ),
    );
    await becomes(booking, { status: 'cancelled', amount_cents: 0, payment_status: 'unpaid' });
  });
});
