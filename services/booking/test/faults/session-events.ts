import type { Booking, EventType, Session } from '@swim/contracts';
import { publishEvent, until } from '@swim/testing';
import type { BookingFixture } from '../harness.js';
import { moneyIn } from '../money/money.js';

/** Changes a session in the fake of scheduling, without an event. */
export function change(session: Session, changes: Partial<Session>): Session {
  return Object.assign(session, changes, { version: session.version + 1, updated_at: new Date().toISOString() });
}

/** What the cancellation of a session by this account changes. */
export const cancelledBy = (accountId: string, fee_cents = 0) => ({
  status: 'cancelled' as const,
  cancellation: {
    reason: null,
    cancelled_at: new Date().toISOString(),
    cancelled_by: accountId,
    participants_notified: true,
    late: fee_cents > 0,
    fee_cents,
    refund_id: null,
    makeup_credit: null,
  },
});

/** The sessions of the family's bookings, and what their events make of these. */
export const sessionsIn = (fixture: () => BookingFixture) => {
  const { read } = moneyIn(fixture);
  return {
    /** Publishes the state of a session as scheduling does. */
    publish: (type: EventType, { notes: _, ...object }: Session) =>
      publishEvent(fixture().harness, type, {
        object,
        audience: [fixture().family.accountId, fixture().school.accountId],
        n: object.version,
      }),
    sessionsOf: ({ id }: Booking) => fixture().calendar.confirmedSessions(id),
    /** Waits until the booking has these fields; returns it. */
    becomes: (booking: Booking, expected: Partial<Booking>): Promise<Booking> =>
      until(
        async () => {
          const now = await read(booking);
          return Object.entries(expected).every(([key, value]) => now[key as keyof Booking] === value) ? now : null;
        },
        `the booking becomes ${JSON.stringify(expected)}`,
      ),
  };
};
