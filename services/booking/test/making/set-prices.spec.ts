import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Booking, createBooking } from '@swim/contracts';
import { inDays, rejectionOf, until } from '@swim/testing';
import { type BookingFixture, type BookingInput, startFixture, times } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const create = (input: BookingInput, by = fixture.school): Promise<Booking> =>
  fixture.harness.call(createBooking, input, { principal: by });
const priced = (day: number, price_cents: number, more: object = {}) => ({ ...times(day)[0]!, price_cents, ...more });
const weekly = (changes: object) => ({
  ...{ start_local: `${inDays(30).slice(0, 10)}T16:00`, timezone: 'UTC', weekdays: ['mon' as const], count: 2 },
  ...{ duration_minutes: 60, ...changes },
});

describe('prices that a school sets in a booking', () => {
  it('are those of their sessions, with the reason; the others keep that of the rate', async () => {
    const sessions = [priced(2, 1_200, { price_reason: 'Second child of a family' }), ...times(3), priced(4, 0)];
    const made = await create(fixture.bookingInput({ sessions }));
    expect(made.amount_cents).toBe(6_200);
    const stored = fixture.calendar.confirmedSessions(made.id);
    expect(stored.map(({ price_cents, price_reason }) => [price_cents, price_reason])).toEqual([
      [1_200, 'Second child of a family'],
      [5_000, null],
      [0, null],
    ]);
  });

  it('of a recurrence are those of all its sessions', async () => {
    const { sessions: _, ...input } = fixture.bookingInput();
    const recurrence = weekly({ price_cents: 1_000, price_reason: 'A scholarship' });
    const made = await create({ ...input, recurrence });
    expect(made.amount_cents).toBe(2_000);
    const reasons = fixture.calendar.confirmedSessions(made.id).map(({ price_reason }) => price_reason);
    expect(reasons).toEqual(['A scholarship', 'A scholarship']);
  });

  it('leave no reason in the database of bookings', async () => {
    const sessions = [priced(6, 1_200, { price_reason: 'canary of a reason' })];
    const made = await create(fixture.bookingInput({ sessions }));
    const stored = await until(() => fixture.stored(made.id), 'the booking is stored');
    const drafts = await fixture.harness.database('booking_test').collection('drafts').find({}).toArray();
    expect(JSON.stringify([stored, drafts])).not.toContain('canary');
  });

  it('of 0 are paid and confirmed at once, also where prepayment is required', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
    const made = await create(fixture.bookingInput({ instructor_id, sessions: [priced(7, 0)] }));
    expect(made).toMatchObject({ status: 'confirmed', payment_status: 'paid', amount_cents: 0 });
  });

  it('are rejected of a family, and where no processor takes them', async () => {
    const byFamily = rejectionOf(create(fixture.bookingInput({ sessions: [priced(8, 1)] }), fixture.family));
    expect(await byFamily).toMatchObject({ reason: 'school_only', details: { field: 'sessions.0.price_cents' } });
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, { currency: 'KWD' });
    const dinars = rejectionOf(create(fixture.bookingInput({ instructor_id, sessions: [priced(8, 1_005)] })));
    expect(await dinars).toMatchObject({ reason: 'not_representable', details: { field: 'sessions.0.price_cents' } });
    const { sessions: _, ...input } = fixture.bookingInput();
    const recurring = rejectionOf(create({ ...input, recurrence: weekly({ price_cents: 1 }) }, fixture.family));
    expect(await recurring).toMatchObject({ reason: 'school_only', details: { field: 'recurrence.price_cents' } });
  });
});
