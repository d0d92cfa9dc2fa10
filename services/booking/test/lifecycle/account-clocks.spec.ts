import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { applyClockToBookings, createBooking } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, rejectionOf } from '@swim/testing';
import { BookingsRepository } from '../../src/bookings/storage/bookings.repository.js';
import { type BookingFixture, startFixture, times } from '../harness.js';
import { moneyIn } from '../money/money.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterEach(() => {
  fixture.people.clockOffsetMs = undefined;
});
afterAll(() => fixture?.stop());

const { create, prepaid, read, reserve } = moneyIn(() => fixture);
/** Applies the clock of an account; by default of the family. */
const apply = (offsetMs: number, accountId = fixture.family.accountId) =>
  fixture.harness.call(applyClockToBookings, { accountId, fromMs: 0, offsetMs });

it('a clock that passes the end of the time to pay expires the booking before it answers', async () => {
  const booking = await prepaid();
  const { nextOffsetMs } = await apply(5 * MINUTE_MS);
  expect(nextOffsetMs).toBeGreaterThan(14 * MINUTE_MS);
  expect(nextOffsetMs).toBeLessThanOrEqual(15 * MINUTE_MS);
  expect(await read(booking)).toMatchObject({ status: 'pending', expires_at: booking.expires_at, version: 1 });
  // Without the recoverer: what it takes over first, the request awaits for a second only.
  const due = jest
    .spyOn(fixture.service.app.get(BookingsRepository, { strict: false }).unfinished, 'findDue')
    .mockResolvedValue([]);
  const applied = await Promise.all([apply(nextOffsetMs!), apply(nextOffsetMs!)]).finally(() => due.mockRestore());
  expect(applied.map(({ nextOffsetMs: next }) => next)).toEqual([null, null]);
  expect(await read(booking)).toMatchObject({ status: 'expired', sessions: [{ status: 'cancelled' }] });
  expect(await fixture.recorder.atLeast(2, booking.id)).toHaveLength(2);
  expect(await apply(nextOffsetMs!)).toEqual({ handled: 0, nextOffsetMs: null });
});

it('a clock of the school counts too, and leaves a booking with a payment in progress to its outcome', async () => {
  const booking = await prepaid();
  await reserve(booking.id, { paymentId: newId('pay') });
  expect(await apply(DAY_MS, fixture.school.accountId)).toMatchObject({ handled: 0 });
  expect(await read(booking)).toMatchObject({ status: 'pending' });
});

it('a booking that is made under a clock has its end by that clock, and rejects what the clock has passed', async () => {
  fixture.people.clockOffsetMs = 3 * DAY_MS;
  expect((await rejectionOf(create({ sessions: times(2) }))).reason).toBe('in_past');
  const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
  const booking = await create({ instructor_id, sessions: times(5) });
  const lastsMs = Date.parse(booking.expires_at!) - Date.parse(booking.created_at);
  expect(Math.round(lastsMs / MINUTE_MS)).toBe((3 * DAY_MS) / MINUTE_MS + 15);
  expect((await fixture.stored(booking.id))?.nextAt).toEqual(new Date(Date.parse(booking.expires_at!) - 3 * DAY_MS));
});

it('a live booking has no clock, whatever offset people answers', async () => {
  fixture.people.clockOffsetMs = 300 * DAY_MS;
  const principal = { ...fixture.family, env: 'live' as const };
  const input = fixture.bookingInput({ sessions: [{ date: inDays(2), duration_minutes: 60 }] });
  const booking = await fixture.harness.call(createBooking, input, { principal });
  expect(booking).toMatchObject({ status: 'confirmed' });
  const live = fixture.harness.database('booking_live').collection('bookings');
  expect(await live.findOne({ _id: booking.id as never })).not.toHaveProperty('clockOffsetMs');
});
