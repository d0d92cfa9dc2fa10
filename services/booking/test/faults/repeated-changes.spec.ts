import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, cancelBooking, getBooking, updateBooking } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { inDays, rejectionOf } from '@swim/testing';
import { type BookingFixture, familyIn, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create } = familyIn(() => fixture);
const read = (booking_id: string) => fixture.harness.call(getBooking, { booking_id }, { principal: fixture.family });
const statusesOf = ({ sessions }: Booking) => sessions.map(({ status }) => status);

/** Requests under a new key whose last step, the read of the sessions for the answer, fails the first time. */
async function failsOnce<T>(request: (idempotencyKey: string) => Promise<T>): Promise<() => Promise<T>> {
  const key = newId('req');
  fixture.calendar.disturb('sessions', {
    before: () => {
      throw new AppError('unavailable');
    },
  });
  expect((await rejectionOf(request(key))).code).toBe('SERVER_ERROR');
  fixture.calendar.calm();
  return () => request(key);
}

describe('the cancellation of a booking that is repeated under its key after its answer failed', () => {
  const cancel = ({ id }: Booking) =>
    failsOnce((idempotencyKey) =>
      fixture.harness.call(cancelBooking, { booking_id: id }, { principal: fixture.family, idempotencyKey }),
    );

  it('returns the booking with the lessons that it has left', async () => {
    const booking = await create(fixture.bookingInput({ sessions: times(3, 4) }));
    Object.assign(fixture.calendar.confirmedSessions(booking.id)[0]!, { status: 'completed', version: 2 });
    const repeat = await cancel(booking);
    const repeated = await repeat();
    expect(repeated).toMatchObject({ status: 'completed', amount_cents: 5_000 });
    expect(statusesOf(repeated)).toEqual(['completed', 'cancelled']);
    expect(await repeat()).toEqual(repeated);
  });

  it('returns the booking also where another request had begun the cancellation', async () => {
    const booking = await create(fixture.bookingInput({ sessions: times(3, 4) }));
    Object.assign(fixture.calendar.confirmedSessions(booking.id)[0]!, { status: 'completed', version: 2 });
    fixture.calendar.disturb('cancelAll', {
      before: () => {
        throw new AppError('unavailable');
      },
    });
    const begun = fixture.harness.call(cancelBooking, { booking_id: booking.id }, { principal: fixture.school });
    expect((await rejectionOf(begun)).code).toBe('SERVER_ERROR');
    fixture.calendar.calm();
    const repeat = await cancel(booking);
    expect(statusesOf(await repeat())).toEqual(['completed', 'cancelled']);
  });

  it('does not cancel a lesson that was moved into the future since', async () => {
    const booking = await create(fixture.bookingInput({ sessions: times(3, 4) }));
    const [begun] = fixture.calendar.confirmedSessions(booking.id);
    begun!.date = inDays(-1);
    const repeat = await cancel(booking);
    begun!.date = inDays(2);
    expect(statusesOf(await repeat())).toEqual(['scheduled', 'cancelled']);
  });
});

describe('a PATCH of a booking that is repeated under its key after its answer failed', () => {
  it('leaves a change that was stored since', async () => {
    const { id } = await create(fixture.bookingInput());
    const change = (notes: string, idempotencyKey?: string) =>
      fixture.harness.call(
        updateBooking,
        { booking_id: id, changes: { notes } },
        { principal: fixture.family, ...(idempotencyKey ? { idempotencyKey } : {}) },
      );
    const repeat = await failsOnce((key) => change('oriolusfirst', key));
    expect(await change('second')).toMatchObject({ notes: 'second' });
    expect(await repeat()).toMatchObject({ notes: 'second' });
    expect(await read(id)).toMatchObject({ notes: 'second', version: 3 });
    expect(JSON.stringify(await fixture.stored(id))).not.toContain('oriolusfirst');
  });
});
