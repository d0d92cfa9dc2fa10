import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Booking, createBooking } from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, type RequestOptions, rejectionOf, springForward } from '@swim/testing';
import { type BookingFixture, type BookingInput, familyIn, startFixture } from '../harness.js';

let fixture: BookingFixture;
beforeAll(async () => {
  fixture = await startFixture();
});
beforeEach(() => fixture.calendar.calm());
afterAll(() => fixture.stop());

const { create, listed, storedFor, draftsFor } = familyIn(() => fixture);

type Recurrence = NonNullable<BookingInput['recurrence']>;

/** The Sunday in Berlin on which 02:30 does not exist, with the one before and the one after. */
const [before, change, after] = [-7, 0, 7].map((days) => springForward(days)) as [string, string, string];
const weekly = (changes: Partial<Recurrence> = {}): Recurrence => ({
  start_local: `${before}T02:30`,
  timezone: 'Europe/Berlin',
  weekdays: ['sun'],
  count: 3,
  duration_minutes: 60,
  ...changes,
});
const starts = [`${before}T01:30:00.000Z`, `${change}T01:30:00.000Z`, `${after}T00:30:00.000Z`];
const warnings = [{ code: 'local_time_skipped', date: change, start: starts[1] }];

function inputOf(recurrence: Recurrence, changes: Partial<BookingInput> = {}): BookingInput {
  const { sessions: _, ...input } = fixture.bookingInput(changes);
  return { ...input, recurrence };
}

/** The booking, its warnings, and whether it is a stored answer. */
async function answered(input: BookingInput, options: RequestOptions = {}) {
  const principal = fixture.family;
  const answer = await fixture.harness.request(createBooking, input, { principal, ...options });
  const booking = JSON.parse(Buffer.from(answer.body).toString()) as Booking;
  return { booking, warnings: answer.warnings && JSON.parse(answer.warnings), replayed: answer.replayed };
}

describe('a booking of a recurrence', () => {
  it('has its times in wall-clock time, and warns of the one that the clocks skip, also to the same key', async () => {
    const [input, options] = [inputOf(weekly()), { idempotencyKey: newId('req') }];
    const made = await answered(input, options);
    expect(made).toMatchObject({ warnings, replayed: false, booking: { status: 'confirmed', amount_cents: 15_000 } });
    expect(made.booking.sessions.map(({ date }) => date)).toEqual(starts);
    expect(await answered(input, options)).toEqual({ ...made, replayed: true });
  });

  it('has no warnings where no clock changes', async () => {
    const made = await answered(inputOf(weekly({ start_local: `${before}T16:00` })));
    expect(made.warnings).toBeUndefined();
    expect(made.booking.sessions.map(({ date }) => date.slice(11, 16))).toEqual(['15:00', '14:00', '14:00']);
  });

  it('is returned by a dry run with its warnings, and nothing is stored', async () => {
    const input = inputOf(weekly());
    const tried = await answered(input, { dryRun: true });
    expect(tried).toMatchObject({ warnings, booking: { sessions: starts.map((date) => ({ date })) } });
    expect([await storedFor(input), await draftsFor(input)]).toEqual([[], []]);
  });

  it('warns of expired certificates and of a level that is not taught, also in a dry run and to the same key', async () => {
    const changes = { certifiedUntil: before, levelsTaught: ['advanced' as const] };
    const instructor_id = fixture.people.anInstructor(fixture.school.accountId, changes);
    const input = inputOf(weekly({ start_local: `${before}T16:00` }), { instructor_id });
    const expected = [
      { code: 'certificate_expired', date: expect.stringContaining(change), expires_at: before },
      { code: 'level_not_taught', levels_taught: ['advanced'] },
    ];
    expect(await answered(input, { dryRun: true })).toMatchObject({ warnings: expected });
    const options = { idempotencyKey: newId('req') };
    const made = await answered(input, options);
    expect(made).toMatchObject({ warnings: expected, booking: { status: 'confirmed' } });
    expect(await answered(input, options)).toEqual({ ...made, replayed: true });
  });

  it('leaves out its exceptions, which count', async () => {
    const made = await create(inputOf(weekly({ except: [change] })));
    expect(made.sessions.map(({ date }) => date)).toEqual([starts[0], starts[2]]);
  });

  it('is rejected with the position of each taken date, and skips them on request', async () => {
    const taken = await create(fixture.bookingInput({ sessions: [{ date: starts[2]!, duration_minutes: 60 }] }));
    const changes = { instructor_id: taken.instructor_id };
    const input = inputOf(weekly({ except: [before] }), changes);
    const error = await rejectionOf(create(input));
    expect(error).toMatchObject({
      reason: 'conflicting_dates',
      details: { conflicts: [{ index: 1, date: starts[2], reason: 'instructor_busy' }] },
    });
    expect(await listed(input)).toEqual([]);
    const made = await create(inputOf(weekly(), { ...changes, on_conflict: 'skip' }));
    expect(made.sessions.map(({ date }) => date)).toEqual(starts.slice(0, 2));
    expect(made.skipped).toEqual([{ date: starts[2], reason: 'instructor_busy' }]);
  });

  const untilDate = (until: string, changes: Partial<Recurrence> = {}): Recurrence => {
    const { count: _, ...rest } = weekly(changes);
    return { ...rest, until };
  };
  const samoa = { timezone: 'Pacific/Apia', weekdays: ['thu', 'fri', 'sat'] as const };

  it.each<[string, Recurrence, string, string]>([
    ['more than 52 dates', untilDate('3000-01-01'), 'too_large', 'recurrence.until'],
    ['an end before its start', untilDate('2020-01-01'), 'range_reversed', 'recurrence.until'],
    ['no date', untilDate(before, { weekdays: ['mon'] }), 'out_of_range', 'recurrence.until'],
    [
      'a time past the year 9999',
      weekly({ start_local: '9999-12-20T10:00' }),
      'out_of_range',
      'recurrence.start_local',
    ],
    ['exceptions alone', weekly({ count: 1, except: [before] }), 'too_long', 'recurrence.except'],
    ['a foreign exception', weekly({ except: [inDays(1).slice(0, 10)] }), 'invalid_value', 'recurrence.except.0'],
    ['a date in the past', weekly({ start_local: '2020-03-01T16:00' }), 'in_past', 'recurrence.start_local'],
    [
      'dates that a skipped one makes overlap',
      weekly({ start_local: '2011-12-29T16:00', ...samoa, weekdays: [...samoa.weekdays] }),
      'overlapping_sessions',
      'recurrence.start_local',
    ],
  ])('is rejected with %s', async (_, recurrence, reason, field) => {
    const input = inputOf(recurrence);
    expect(await rejectionOf(create(input))).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason, field } });
    expect([await storedFor(input), await draftsFor(input)]).toEqual([[], []]);
  });

  it('is rejected beside sessions, and so is a booking with neither', async () => {
    const { sessions: _, ...neither } = fixture.bookingInput();
    const both = fixture.bookingInput({ recurrence: weekly() });
    expect(await rejectionOf(create(both))).toMatchObject({
      details: { reason: 'mutually_exclusive', field: 'recurrence' },
    });
    expect(await rejectionOf(create(neither))).toMatchObject({ details: { reason: 'required', field: 'sessions' } });
  });
});
