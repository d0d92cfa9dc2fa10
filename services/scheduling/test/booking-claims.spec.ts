import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  createSession,
  type InputOf,
  listSessions,
  releaseBooking,
  type Session,
  sessionsOfBookings,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, refusalOfCall, until } from '@swim/testing';
import { wholeness } from './calendar-checks.js';
import { aSession, asFamily, family, type SchedulingParts, school, startScheduling } from './scheduling-parts.js';

let scheduling: SchedulingParts;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type ClaimInput = InputOf<typeof claimBooking>;

/** A booking's claim of these dates for these members. */
function aClaim(
  instructorId: string,
  memberIds: string[],
  dates: string[],
  overrides: Partial<ClaimInput> = {},
): ClaimInput {
  const { schedule, timezone } = scheduling.people.instructors.get(instructorId)!;
  return {
    bookingId: newId('bkg'),
    accountId: family.accountId,
    rules: {
      instructorId,
      schoolId: school.accountId,
      timezone,
      schedule,
      enforceAvailability: true,
      defaultPoolId: null,
    },
    currency: 'USD',
    location: null,
    notes: null,
    slots: dates.map((date) => ({
      date,
      durationMinutes: 30,
      priceCents: 3_000,
      sessions: memberIds.map((memberId) => ({ id: newId('ses'), memberId })),
    })),
    onConflict: 'fail',
    dryRun: false,
    ...overrides,
  };
}

const claim = (input: ClaimInput) => scheduling.parts.call(claimBooking, input, asFamily);
const confirm = (bookingId: string) => scheduling.parts.call(confirmBooking, { bookingId }, asFamily);
const release = (bookingId: string) => scheduling.parts.call(releaseBooking, { bookingId }, asFamily);
const single = (instructorId: string, date: string, memberId = scheduling.people.member()) =>
  scheduling.parts.call(createSession, aSession(instructorId, memberId, { date }), asFamily);
const group = (size: number) => Array.from({ length: size }, () => scheduling.people.member());

describe('a booking’s claim', () => {
  it('holds every date for every member, and makes their sessions when it is confirmed', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(3), [inDays(10), inDays(11)]);
    expect((await claim(input)).sessionIds).toHaveLength(6);
    expect(await refusalOfCall(single(instructor, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    expect(await scheduling.parts.call(sessionsOfBookings, { bookingIds: [input.bookingId] }, asFamily)).toEqual([]);
    const { sessions } = await confirm(input.bookingId);
    expect(sessions.map(({ id }: Session) => id).sort()).toEqual(
      input.slots.flatMap((slot) => slot.sessions.map(({ id }) => id)).sort(),
    );
    expect(
      sessions.every((session: Session) => session.booking_id === input.bookingId && session.price_cents === 3_000),
    ).toBe(true);
  });

  it('answers the same when it is claimed or confirmed again', async () => {
    const input = aClaim(scheduling.people.instructor(), group(1), [inDays(10)]);
    const claimed = await claim(input);
    expect(await claim(input)).toEqual(claimed);
    const confirmed = await confirm(input.bookingId);
    expect(await confirm(input.bookingId)).toEqual(confirmed);
    expect(await claim(input)).toEqual(claimed);
    expect(await release(input.bookingId)).toEqual({ state: 'confirmed' });
  });

  it('takes nothing when one date is taken, and names that date with suggestions', async () => {
    const instructor = scheduling.people.instructor();
    await single(instructor, inDays(12));
    const error = await refusalOfCall(claim(aClaim(instructor, group(1), [inDays(11), inDays(12), inDays(13)])));
    expect(error).toMatchObject({ reason: 'conflicting_dates', code: 'CONFLICT' });
    expect(error.details.conflicts).toMatchObject([
      { date: inDays(12), reason: 'instructor_busy', suggestions: [{}, {}, {}] },
    ]);
    await single(instructor, inDays(11));
  });

  it('skips what is not free when told to, and refuses when nothing is', async () => {
    const instructor = scheduling.people.instructor();
    await single(instructor, inDays(12));
    const input = aClaim(instructor, group(2), [inDays(11), inDays(12), inDays(13, 3)], { onConflict: 'skip' });
    const claimed = await claim(input);
    expect(claimed.sessionIds).toEqual(input.slots[0]!.sessions.map(({ id }) => id));
    expect(claimed.skipped).toEqual(
      expect.arrayContaining([
        { date: inDays(12), reason: 'instructor_busy' },
        { date: inDays(13, 3), reason: 'outside_availability' },
      ]),
    );
    await confirm(input.bookingId);
    expect(await claim(input)).toEqual(claimed);
    expect(
      await refusalOfCall(claim(aClaim(instructor, group(1), [inDays(12)], { onConflict: 'skip' }))),
    ).toMatchObject({ reason: 'conflicting_dates' });
  });

  it('counts buffers between its own dates', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule({ buffer_after_minutes: 10 }) });
    const error = await refusalOfCall(claim(aClaim(instructor, group(1), [inDays(10, 10), inDays(10, 10, 30)])));
    expect(error.details.conflicts).toMatchObject([{ date: inDays(10, 10, 30), reason: 'instructor_busy' }]);
  });

  it('lets go of everything when it is released, and cannot be confirmed any more', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(2), [inDays(10)]);
    await claim(input);
    expect(await release(input.bookingId)).toEqual({ state: 'released' });
    expect(await refusalOfCall(confirm(input.bookingId))).toMatchObject({ reason: 'invalid_state' });
    await single(instructor, inDays(10));
    expect(await release(newId('bkg'))).toEqual({ state: 'released' });
  });

  it('keeps nothing of a dry run, and refuses a pool of another school', async () => {
    const instructor = scheduling.people.instructor();
    const dry = aClaim(instructor, group(1), [inDays(10)], { dryRun: true });
    expect((await claim(dry)).sessionIds).toHaveLength(1);
    expect(await refusalOfCall(confirm(dry.bookingId))).toMatchObject({ reason: 'invalid_state' });
    await single(instructor, inDays(10));
    expect(await refusalOfCall(claim(aClaim(instructor, group(1), [inDays(10)], { dryRun: true })))).toMatchObject({
      reason: 'conflicting_dates',
    });
    const elsewhere = aClaim(instructor, group(1), [inDays(11)], {
      location: { type: 'pool', pool_id: newId('pool') },
    });
    expect(await refusalOfCall(claim(elsewhere))).toMatchObject({
      reason: 'not_found',
      details: { field: 'location.pool_id' },
    });
  });
});

describe('a group that shares its instructor’s time', () => {
  it('keeps the time until the last one has left', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(3), [inDays(20)]);
    await claim(input);
    const { sessions } = await confirm(input.bookingId);
    for (const [index, session] of sessions.entries()) {
      expect(await refusalOfCall(single(instructor, inDays(20)))).toMatchObject({ reason: 'instructor_busy' });
      if (index === 0)
        await scheduling.parts.call(updateSession, { session_id: session.id, changes: { date: inDays(21) } }, asFamily);
      else await scheduling.parts.call(cancelSession, { session_id: session.id }, asFamily);
    }
    await single(instructor, inDays(20));
    await wholeness(scheduling.parts.database('scheduling_test'));
  });

  it('does not let one member move into the time that the others keep', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(2), [inDays(20)]);
    await claim(input);
    const { sessions } = await confirm(input.bookingId);
    const move = scheduling.parts.call(
      updateSession,
      { session_id: sessions[0]!.id, changes: { date: inDays(20, 10, 15) } },
      asFamily,
    );
    expect(await refusalOfCall(move)).toMatchObject({ reason: 'instructor_busy' });
  });
});

describe('a hold whose time is over', () => {
  it('blocks nobody, and cannot be confirmed once the time is another’s', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(1), [inDays(30)]);
    await claim(input);
    const claims = scheduling.parts.database('scheduling_test').collection('claims');
    await claims.updateOne({ key: input.bookingId }, { $set: { until: new Date(0) } });
    await single(instructor, inDays(30));
    expect(await refusalOfCall(confirm(input.bookingId))).toMatchObject({ reason: 'invalid_state' });
    await until(async () => (await claims.countDocuments({ key: input.bookingId })) === 0, 'its claim is gone');
    expect((await scheduling.parts.call(listSessions, { instructor_id: instructor }, asFamily)).pagination.total).toBe(
      1,
    );
  });
});

describe('a claim that is being taken by one who has stopped', () => {
  it('is waited for as long as it may be alive, and is taken over after that', async () => {
    const instructor = scheduling.people.instructor();
    const database = scheduling.parts.database('scheduling_test');
    const days = database.collection<{ _id: string; busy: object[]; gone: string[] }>('days');
    const claims = database.collection<{ _id: string }>('claims');
    const [s, e] = [new Date(inDays(40)), new Date(inDays(40, 11))];
    const elements = [{ resource: instructor, startMs: s.getTime(), endMs: e.getTime(), holders: ['ses_stopped'] }];
    const stopped = {
      _id: 'stopped',
      key: 'ses_stopped#0',
      state: 'taking',
      holders: ['ses_stopped'],
      elements,
      until: new Date(Date.now() + 3_600_000),
    };
    await claims.insertOne(stopped);
    await days.insertOne({
      _id: `${instructor}:${inDays(40).slice(0, 10)}`,
      busy: [{ s, e, c: 'stopped', h: ['ses_stopped'] }],
      gone: [],
    });
    expect(await refusalOfCall(single(instructor, inDays(40)))).toMatchObject({
      reason: 'busy_retry',
      code: 'SERVER_ERROR',
    });
    await claims.updateOne({ _id: 'stopped' }, { $set: { until: new Date(0) } });
    await single(instructor, inDays(40));
    expect(await days.findOne({ _id: `${instructor}:${inDays(40).slice(0, 10)}` })).toMatchObject({
      busy: [{}],
      gone: ['stopped'],
    });
  });
});
