import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSession, getBooking, type InputOf, listBookings, makeSession, type Session } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { inDays, type RequestOptions, rejectionOf } from '@swim/testing';
import { type BookingFixture, startFixture, times } from '../harness.js';

type SessionInput = InputOf<typeof createSession>;

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());
afterEach(() => fixture.calendar.calm());

/** A session of a new member of the family with a new instructor of the school, tomorrow at ten for an hour. */
function aSession(changes: Partial<SessionInput> = {}): SessionInput {
  const { instructor_id, member_ids } = fixture.bookingInput();
  return { instructor_id: instructor_id!, member_id: member_ids[0]!, ...times(1)[0]!, ...changes };
}
const asFamily = () => ({ principal: fixture.family });
const withKey = () => ({ ...asFamily(), writeKey: newId('req'), fingerprint: 'one body' });
const create = (input: SessionInput, options: RequestOptions = asFamily()): Promise<Session> =>
  fixture.harness.call(createSession, input, options);
const bookingsOf = async ({ member_id }: SessionInput) =>
  (await fixture.harness.call(listBookings, { member_id }, asFamily())).items;

describe('a session that a family requests', () => {
  it('is a booking of its own, confirmed and to be paid', async () => {
    const input = aSession({ notes: 'Shy', metadata: { lane: '3' } });
    const session = await create(input);
    expect(session).toMatchObject({ account_id: fixture.family.accountId, notes: 'Shy', metadata: { lane: '3' } });
    const booking = await fixture.harness.call(getBooking, { booking_id: session.booking_id! }, asFamily());
    expect(booking).toMatchObject({ status: 'confirmed', session_ids: [session.id], amount_due_cents: 5_000 });
    expect(await bookingsOf(input)).toEqual([booking]);
    const events = await fixture.recorder.atLeast(2, booking.id);
    expect(events.map(({ type }) => type)).toEqual(['booking.created', 'booking.confirmed']);
  });

  it('is one under its key, also when the answer of its claim was lost', async () => {
    const [input, key] = [aSession({ metadata: { lane: '4' } }), withKey()];
    fixture.calendar.disturb('claim', {
      after: () => {
        throw new AppError('unavailable');
      },
    });
    expect(await rejectionOf(create(input, key))).toMatchObject({ reason: 'unavailable' });
    fixture.calendar.calm();
    const session = await create(input, key);
    expect(session).toMatchObject({ member_id: input.member_id, metadata: { lane: '4' } });
    expect(await create(input, key)).toEqual(session);
    expect(await bookingsOf(input)).toMatchObject([{ id: session.booking_id, session_ids: [session.id] }]);
  });

  it('is rejected at its own fields, and the same under its key', async () => {
    const taken = aSession();
    await create(taken);
    const rival = aSession({ instructor_id: taken.instructor_id });
    const key = withKey();
    const busy = await rejectionOf(create(rival, key));
    expect(busy).toMatchObject({ reason: 'instructor_busy', details: { field: 'date', suggestions: [] } });
    expect((await rejectionOf(create(rival, key))).toBody()).toEqual(busy.toBody());
    for (const [changes, reason, field] of [
      [{ date: inDays(-1) }, 'in_past', 'date'],
      [{ member_id: newId('mem') }, 'not_found', 'member_id'],
      [{ instructor_id: newId('ins') }, 'not_found', 'instructor_id'],
    ] as const) {
      const { details } = await rejectionOf(create(aSession(changes)));
      expect(details).toMatchObject({ reason, field, errors: [{ reason, field }] });
    }
    expect(await bookingsOf(rival)).toEqual([]);
  });

  it('is rejected where the school requires prepayment', async () => {
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, {}, { requirePrepayment: true });
    const rejected = await rejectionOf(create(aSession({ instructor_id })));
    expect(rejected).toMatchObject({ reason: 'prepayment_required', details: { field: 'instructor_id' } });
    expect(fixture.calendar.calls).toEqual([]);
  });

  it('is only shown in a dry run', async () => {
    const input = aSession();
    const shown = await create(input, { ...asFamily(), dryRun: true });
    expect(shown).toMatchObject({ status: 'scheduled', date: input.date, price_cents: 5_000 });
    expect(await bookingsOf(input)).toEqual([]);
    expect(await create(input)).toMatchObject({ date: input.date });
  });
});

describe('a session that a school requests', () => {
  it('with another school’s instructor is a booking of the school', async () => {
    const input = aSession({ member_id: fixture.people.aMember(fixture.school.accountId) });
    const instructor_id = fixture.people.anInstructor(newId('acct'));
    const made = await create({ ...input, instructor_id }, { principal: fixture.school });
    expect(made).toMatchObject({ account_id: fixture.school.accountId, booking_id: expect.stringMatching(/^bkg_/) });
  });

  it('with an instructor of its own is made by scheduling, outside a booking', async () => {
    const { booking_id: _, ...like } = await create(aSession());
    const requested: unknown[] = [];
    const end = fixture.harness.serve(makeSession, (input) => {
      requested.push(input);
      return { ...like, booking_id: null };
    });
    await fixture.harness.connection.flush();
    const input = aSession({ notes: 'Trial' });
    const made = await create(input, { principal: fixture.school }).finally(end);
    expect(made).toEqual({ ...made, id: like.id, booking_id: null });
    expect(requested).toMatchObject([input]);
    expect(await bookingsOf(input)).toEqual([]);
  });
});
