import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, sessionCompleted } from '@swim/contracts';
import { metricValue, until } from '@swim/testing';
import { type BookingFixture, startFixture } from '../harness.js';
import { moneyIn } from '../money/money.js';
import { cancelledBy, change, sessionsIn } from './session-events.js';

// In a file of its own: its runs would take over what other tests expect of events.
let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture({ RECONCILIATION_MINUTES: '0.01', RECONCILIATION_GRACE_SECONDS: '3' });
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, read } = moneyIn(() => fixture);
const { becomes, publish, sessionsOf } = sessionsIn(() => fixture);

describe('reconciliation', () => {
  const reported = () => metricValue('swim_booking_differences_total');
  /** A completed booking. */
  const aCompleted = async (): Promise<Booking> => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { noShowFeePercent: 0 });
    const booking = await create({ instructor_id });
    await publish(sessionCompleted, change(sessionsOf(booking)[0]!, { status: 'completed' }));
    return becomes(booking, { status: 'completed' });
  };
  /**
   * Waits until each run that is under way has ended, and a later one has read its bookings: a run requests the sessions of these
   * few bookings once.
   */
  const anotherRun = async () => {
    const runs = () => fixture.calendar.sessionReaders.filter((reader) => reader === fixture.school.accountId).length;
    const before = runs();
    await until(() => runs() >= before + 2, 'another run has begun');
  };
  const miss = (booking: Booking) => change(sessionsOf(booking)[0]!, { attendance: 'no_show' });

  it('reports a session whose state did not reach its booking, and takes it over', async () => {
    const booking = await create();
    const before = await reported();
    change(sessionsOf(booking)[0]!, cancelledBy(fixture.family.accountId));
    await becomes(booking, { status: 'cancelled' });
    expect(await reported()).toBeGreaterThan(before);
  });

  it('compares a completed booking for 30 days after its last change', async () => {
    const [old, recent] = [await aCompleted(), await aCompleted()];
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
    const bookings = fixture.harness.database('booking_test').collection<{ _id: string }>('bookings');
    await bookings.updateOne({ _id: old.id }, { $set: { updatedAt: daysAgo(31) } });
    await bookings.updateOne({ _id: recent.id }, { $set: { updatedAt: daysAgo(29) } });
    // One that is under way may have read the old one as it was.
    await anotherRun();
    const before = await reported();
    for (const booking of [old, recent]) miss(booking);
    await becomes(recent, { status: 'completed', amount_cents: 0 });
    expect(await reported()).toBe(before + 1);
    expect(await read(old)).toMatchObject({ amount_cents: 5_000 });
  });
});
