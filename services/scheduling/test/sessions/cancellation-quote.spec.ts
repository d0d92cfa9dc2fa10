import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  cancelSessions,
  claimBooking,
  completeSession,
  confirmBooking,
  getSession,
  makeSession,
  type OutputOf,
  paidOfBooking,
  quoteCancellation,
  quoteCancellations,
  recordAttendance,
  updateSession,
} from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { aPrincipal, aSchedule, rejectionOf } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, TERMS } from '../harness.js';

let scheduling: SchedulingHarness;
const paid = new Map<string, number>();
const waived = new Map<string, number>();
/** Further fields of the answers of booking, by booking. */
const moneyOf = new Map<string, Partial<OutputOf<typeof paidOfBooking>>>();
let requestCount = 0;
beforeAll(async () => {
  scheduling = await startScheduling();
  scheduling.harness.serve(paidOfBooking, ({ bookingId }) => {
    requestCount += 1;
    const paidCents = paid.get(bookingId);
    if (paidCents === undefined) throw new AppError('resource_not_found');
    const waivedCents = waived.get(bookingId) ?? 0;
    const money = { creditedCents: 0, refundableCents: paidCents, missedFees: [], owesFees: true };
    return { paidCents, waivedCents, ...money, ...moneyOf.get(bookingId) };
  });
  await scheduling.harness.connection.flush();
});
beforeEach(() => {
  requestCount = 0;
  scheduling.clock.set(new Date());
});
afterAll(() => scheduling?.stop());

const quote = (session_id: string, options = asFamily) =>
  scheduling.harness.call(quoteCancellation, { session_id }, options);
const cancel = (session_id: string, options = asFamily) =>
  scheduling.harness.call(cancelSession, { session_id }, options);

/** Books sessions of an hour for 3000 cents, this many hours from now, of which `paidCents` are paid; returns their ids. */
async function book(hoursAhead: number[], paidCents: number | null, terms = TERMS): Promise<string[]> {
  const instructorId = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  const memberId = scheduling.people.member();
  const bookingId = newId('bkg');
  const { schedule, timezone } = scheduling.people.instructors.get(instructorId)!;
  const slots = hoursAhead.map((hours) => ({
    date: new Date(Date.now() + hours * 3_600_000).toISOString(),
    durationMinutes: 60,
    priceCents: 3_000,
    sessions: [{ id: newId('ses'), memberId }],
  }));
  const rules = { instructorId, schoolId: school.accountId, timezone, schedule, enforceAvailability: true };
  const claim = {
    bookingId,
    accountId: family.accountId,
    rules: { ...rules, defaultPoolId: null },
    terms,
    currency: 'USD',
    location: null,
    notes: null,
    slots,
    onConflict: 'fail' as const,
    dryRun: false,
  };
  await scheduling.harness.call(claimBooking, claim, asFamily);
  await scheduling.harness.call(confirmBooking, { bookingId }, asFamily);
  if (paidCents !== null) paid.set(bookingId, paidCents);
  return slots.map(({ sessions }) => sessions[0]!.id);
}

describe('the quote of a cancellation', () => {
  it('has no fee until the free hours end, and refunds the paid amount', async () => {
    const [id] = await book([48], 3_000);
    const quoted = await quote(id!);
    expect(quoted).toEqual({
      session_id: id,
      late: false,
      free_until: expect.any(String),
      fee_cents: 0,
      refund_cents: 3_000,
      credit_returned_cents: 0,
      makeup_credit: true,
      currency: 'USD',
    });
    expect(Math.abs(Date.parse(quoted.free_until) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    expect((await cancel(id!)).cancellation).toMatchObject({ late: false, fee_cents: 0 });
  });

  it.each([
    [3_000, 1_500],
    [1_000, 0],
    [0, 0],
  ])('owes a late fee, whether or not anything was paid: of %i cents %i are refunded', async (paidCents, refund) => {
    const [id] = await book([5], paidCents);
    expect(await quote(id!)).toMatchObject({ late: true, fee_cents: 1_500, refund_cents: refund });
    expect((await cancel(id!)).cancellation).toMatchObject({ late: true, fee_cents: 1_500, makeup_credit: null });
  });

  it('has no fee while the booking is pending', async () => {
    const [id] = await book([5], 1_000);
    const { booking_id } = await scheduling.harness.call(getSession, { session_id: id! }, asFamily);
    moneyOf.set(booking_id!, { owesFees: false });
    expect(await quote(id!)).toMatchObject({ late: true, fee_cents: 0 });
    expect((await cancel(id!)).cancellation).toMatchObject({ late: true, fee_cents: 0 });
  });

  it('covers earlier sessions first, a cancelled one up to its fee', async () => {
    const [first, second] = await book([5, 10], 3_500);
    // The rest of the money pays for the other session.
    expect(await quote(first!)).toMatchObject({ fee_cents: 1_500, refund_cents: 0 });
    expect(await quote(second!)).toMatchObject({ fee_cents: 1_500, refund_cents: 0 });
    await cancel(first!);
    expect(await quote(second!)).toMatchObject({ fee_cents: 1_500, refund_cents: 500 });
  });

  it('has no fee for the school’s own cancellation, and sends no request to booking', async () => {
    const [id] = await book([5], 3_000);
    expect(await quote(id!, { principal: school })).toMatchObject({ late: true, fee_cents: 0, refund_cents: 3_000 });
    requestCount = 0;
    expect((await cancel(id!, { principal: school })).cancellation).toMatchObject({ late: true, fee_cents: 0 });
    expect(requestCount).toBe(0);
  });

  it('keeps nothing of a booking that is not visible yet', async () => {
    const [id] = await book([5], null);
    expect(await quote(id!)).toMatchObject({ fee_cents: 0, refund_cents: 0 });
  });

  it('is zero outside a booking, and sends no request to booking', async () => {
    const session = aSession(
      scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) }),
      scheduling.people.member(),
      {
        date: new Date(Date.now() + 3_600_000).toISOString(),
      },
    );
    const { id } = await scheduling.harness.call(makeSession, session, asFamily);
    expect(await quote(id)).toMatchObject({ late: true, fee_cents: 0, refund_cents: 0 });
    expect(requestCount).toBe(0);
  });

  it('uses the time of a session that was moved', async () => {
    const [id] = await book([48], 3_000);
    const soon = new Date(Date.now() + 5 * 3_600_000).toISOString();
    await scheduling.harness.call(
      updateSession,
      { session_id: id!, changes: { date: soon, duration_minutes: 30 } },
      asFamily,
    );
    expect(await quote(id!)).toMatchObject({ late: true, fee_cents: 1_500, refund_cents: 1_500 });
  });

  it('is late after a late move, however far ahead the new time is', async () => {
    const [id, early] = await book([5, 48], 6_000);
    const move = (session_id: string, hours: number) =>
      scheduling.harness.call(
        updateSession,
        { session_id, changes: { date: new Date(Date.now() + hours * 3_600_000).toISOString() } },
        asFamily,
      );
    const before = await quote(id!);
    await move(id!, 200);
    await move(id!, 300);
    expect(await quote(id!)).toMatchObject({ late: true, free_until: before.free_until, fee_cents: 1_500 });
    await move(early!, 400);
    expect(await quote(early!)).toMatchObject({ late: false, fee_cents: 0 });
  });

  it('keeps the terms of the booking: its policies, and its rate when the duration changes', async () => {
    const terms = { ...TERMS, hourlyRateCents: 3_000, freeCancellationHours: 2, lateFeePercent: 10 };
    const [free, late] = await book([5, 1], 6_000, terms);
    expect(await quote(free!)).toMatchObject({ late: false, fee_cents: 0 });
    expect(await quote(late!)).toMatchObject({ late: true, fee_cents: 300 });
    const changes = { duration_minutes: 90 };
    const longer = await scheduling.harness.call(updateSession, { session_id: free!, changes }, asFamily);
    expect(longer.price_cents).toBe(4_500);
  });

  it('refunds what the school has waived only once', async () => {
    const [first, second] = await book([48, 72], 4_000);
    const { booking_id } = await scheduling.harness.call(getSession, { session_id: first! }, asFamily);
    waived.set(booking_id!, 2_000);
    for (const id of [first!, second!]) expect(await quote(id)).toMatchObject({ fee_cents: 0, refund_cents: 3_000 });
    paid.set(booking_id!, 0);
    waived.set(booking_id!, 6_000);
    expect(await quote(first!)).toMatchObject({ fee_cents: 0, refund_cents: 0 });
  });

  it('is not reduced by a missed lesson of which nothing is kept', async () => {
    const [missed, next] = await book([5, 10], 3_000);
    const bookingId = (await scheduling.harness.call(getSession, { session_id: missed! }, asFamily)).booking_id!;
    scheduling.clock.set(new Date(Date.now() + 6 * 3_600_000));
    const missing = { session_id: missed!, attendance: 'no_show' as const };
    await scheduling.harness.call(recordAttendance, missing, { principal: school });
    const missedFees = [{ sessionId: missed!, feeCents: 0 }];
    moneyOf.set(bookingId, { missedFees });
    const returned = { late: true, fee_cents: 1_500, refund_cents: 1_500 };
    expect(await quote(next!)).toMatchObject({ ...returned, makeup_credit: true });
    const terms = { freeCancellationHours: 24, lateFeePercent: 50, paidCents: 3_000, missedFees };
    const quoteAll = scheduling.harness.call(quoteCancellations, { bookingId, terms }, asFamily);
    expect(await quoteAll).toMatchObject([{ session_id: next, ...returned }]);
  });

  it('gives nothing back of a payment in dispute, and no makeup credit for it', async () => {
    const [id] = await book([48], 3_000);
    const { booking_id } = await scheduling.harness.call(getSession, { session_id: id! }, asFamily);
    moneyOf.set(booking_id!, { refundableCents: 0 });
    expect(await quote(id!)).toMatchObject({ fee_cents: 0, refund_cents: 0, makeup_credit: false });
    const asCredit = { session_id: id!, refund_as: 'credit' as const };
    const { cancellation } = await scheduling.harness.call(cancelSession, asCredit, asFamily);
    expect(cancellation).toMatchObject({ fee_cents: 0, makeup_credit: null });
  });

  it('is rejected for accounts that do not see the session: resource_not_found', async () => {
    const [id] = await book([48], 3_000);
    for (const [session, options] of [
      [id!, { principal: aPrincipal() }],
      [newId('ses'), asFamily],
    ] as const)
      expect(await rejectionOf(quote(session, options))).toMatchObject({
        reason: 'resource_not_found',
        code: 'NOT_FOUND',
      });
  });

  it('is rejected for a session that has ended: invalid_state', async () => {
    const [one, two] = await book([5, 10], 6_000);
    await cancel(one!);
    scheduling.clock.advance(11 * 3_600_000);
    await scheduling.harness.call(completeSession, { session_id: two! }, { principal: school });
    for (const [id, status] of [
      [one!, 'cancelled'],
      [two!, 'completed'],
    ] as const)
      expect(await rejectionOf(quote(id))).toMatchObject({
        reason: 'invalid_state',
        code: 'CONFLICT',
        details: { status },
      });
  });
});

describe('the sessions of a booking', () => {
  const bookingOf = async (id: string) =>
    (await scheduling.harness.call(getSession, { session_id: id }, asFamily)).booking_id!;
  const quoteAll = async (id: string, paidCents: number, options = asFamily, at?: string) => {
    const terms = { freeCancellationHours: 24, lateFeePercent: 50, paidCents, missedFees: [] };
    return scheduling.harness.call(quoteCancellations, { bookingId: await bookingOf(id), terms, at }, options);
  };
  const cancelAll = (sessions: { id: string; late: boolean; feeCents: number }[], reason: string | null = null) =>
    scheduling.harness.call(cancelSessions, { sessions, reason, notifyParticipants: false }, asFamily);

  it('are quoted together by the terms of the booking, without those that have begun, now or as of an instant', async () => {
    const ids = await book([5, 10, 48], 5_000);
    expect(await quoteAll(ids[0]!, 5_000)).toMatchObject([
      { session_id: ids[0], late: true, fee_cents: 1_500, refund_cents: 1_500 },
      { session_id: ids[1], late: true, fee_cents: 1_500, refund_cents: 500 },
      { session_id: ids[2], late: false, fee_cents: 0, refund_cents: 0 },
    ]);
    const [before, asOf] = [await quoteAll(ids[0]!, 5_000), new Date().toISOString()];
    scheduling.clock.set(new Date(Date.now() + 30 * 3_600_000));
    expect(await quoteAll(ids[0]!, 5_000)).toMatchObject([{ session_id: ids[2], late: true }]);
    expect(await quoteAll(ids[0]!, 5_000, asFamily, asOf)).toEqual(before);
    expect(await quoteAll(ids[0]!, 5_000, { principal: aPrincipal() })).toEqual([]);
  });

  it('are cancelled with the given fees; a repetition changes nothing', async () => {
    const ids = await book([5, 10], 5_000);
    const sessions = ids.map((id, index) => ({ id, late: true, feeCents: index * 100 }));
    const cancelled = await cancelAll(sessions, 'Moving away');
    expect(cancelled.map(({ cancellation }) => cancellation)).toMatchObject([
      { fee_cents: 0, late: true, reason: 'Moving away', participants_notified: false },
      { fee_cents: 100, late: true, cancelled_by: family.accountId },
    ]);
    expect(await cancelAll(sessions.map((each) => ({ ...each, feeCents: 999 })))).toEqual(cancelled);
  });

  it('stay as they are when they are completed, and are not found by strangers', async () => {
    const ids = await book([5, 10], 0);
    const sessions = [{ id: ids[0]!, late: false, feeCents: 0 }];
    const request = { sessions, reason: null, notifyParticipants: true };
    const strange = scheduling.harness.call(cancelSessions, request, { principal: aPrincipal() });
    expect((await rejectionOf(strange)).reason).toBe('resource_not_found');
    scheduling.clock.advance(6 * 3_600_000);
    await scheduling.harness.call(completeSession, { session_id: ids[0]! }, { principal: school });
    const cancelled = await cancelAll(ids.map((id) => ({ id, late: false, feeCents: 0 })));
    expect(cancelled.map(({ status }) => status)).toEqual(['completed', 'cancelled']);
  });
});
