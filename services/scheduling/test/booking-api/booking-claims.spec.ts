import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  confirmBooking,
  type InputOf,
  makeSession,
  releaseBooking,
  type Session,
  sessionsOfBookings,
  updateSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, TERMS } from '../harness.js';

let scheduling: SchedulingHarness;
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
    terms: TERMS,
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

const claim = (input: ClaimInput) => scheduling.harness.call(claimBooking, input, asFamily);
const confirm = (bookingId: string) => scheduling.harness.call(confirmBooking, { bookingId }, asFamily);
const release = (bookingId: string) => scheduling.harness.call(releaseBooking, { bookingId }, asFamily);
const single = (instructorId: string, date: string, memberId = scheduling.people.member()) =>
  scheduling.harness.call(makeSession, aSession(instructorId, memberId, { date }), asFamily);
const group = (size: number) => Array.from({ length: size }, () => scheduling.people.member());

describe('a booking’s claim', () => {
  it('takes every date for every member, and makes their sessions', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(3), [inDays(10), inDays(11)]);
    const { sessionIds, sessions = [] } = await claim(input);
    expect(sessionIds).toHaveLength(6);
    expect(await rejectionOf(single(instructor, inDays(10)))).toMatchObject({ reason: 'instructor_busy' });
    expect(await scheduling.harness.call(sessionsOfBookings, { bookingIds: [input.bookingId] }, asFamily)).toEqual(
      sessions,
    );
    expect(sessions.map(({ id }: Session) => id).sort()).toEqual(
      input.slots.flatMap((slot) => slot.sessions.map(({ id }) => id)).sort(),
    );
    expect(
      sessions.every((session: Session) => session.booking_id === input.bookingId && session.price_cents === 3_000),
    ).toBe(true);
  });

  it('returns the same when it is claimed or confirmed again', async () => {
    const input = aClaim(scheduling.people.instructor(), group(1), [inDays(10)]);
    const claimed = await claim(input);
    expect(await claim(input)).toEqual(claimed);
    const confirmed = await confirm(input.bookingId);
    expect(confirmed).toEqual({ sessions: claimed.sessions, skipped: [] });
    expect(await claim({ ...input, attempt: 2 })).toEqual(claimed);
    expect(await release(input.bookingId)).toEqual({ state: 'confirmed' });
  });

  it('returns all sessions to a repeated confirm, also those that were cancelled or moved since', async () => {
    const input = aClaim(scheduling.people.instructor(), group(3), [inDays(10)]);
    const made = (await claim(input)).sessions!;
    const [cancelled, moved, kept] = made.map(({ id }) => id);
    await scheduling.harness.call(cancelSession, { session_id: cancelled! }, asFamily);
    const changes = { date: inDays(11) };
    await scheduling.harness.call(updateSession, { session_id: moved!, changes }, asFamily);
    const idsOf = (sessions: Session[]) => sessions.map(({ id }) => id).sort();
    expect(idsOf((await confirm(input.bookingId)).sessions)).toEqual(idsOf(made));
    await scheduling.harness.call(cancelSession, { session_id: kept! }, asFamily);
    expect(idsOf((await confirm(input.bookingId)).sessions)).toEqual(idsOf(made));
  });

  it('takes nothing when one date is taken, and names that date with suggestions', async () => {
    const instructor = scheduling.people.instructor();
    await single(instructor, inDays(12));
    const error = await rejectionOf(claim(aClaim(instructor, group(1), [inDays(11), inDays(12), inDays(13)])));
    expect(error).toMatchObject({ reason: 'conflicting_dates', code: 'CONFLICT' });
    expect(error.details.conflicts).toMatchObject([
      { index: 1, date: inDays(12), reason: 'instructor_busy', suggestions: [{}, {}, {}] },
    ]);
    await single(instructor, inDays(11));
  });

  it('names each rejected date by its position, in that order, and the member who is busy', async () => {
    const [instructor, [free, busy]] = [scheduling.people.instructor(), group(2)];
    await single(scheduling.people.instructor(), inDays(11), busy);
    const dates = [inDays(13), inDays(11), inDays(12, 3)];
    const rejected = await rejectionOf(claim(aClaim(instructor, [free!, busy!], dates)));
    const previewed = await rejectionOf(claim(aClaim(instructor, [free!, busy!], dates, { dryRun: true })));
    for (const { details } of [rejected, previewed]) {
      expect(details.conflicts).toEqual([
        { index: 1, date: dates[1], member_id: busy, reason: 'member_busy', suggestions: expect.anything() },
        { index: 2, date: dates[2], rule: 'hours', reason: 'outside_availability', suggestions: expect.anything() },
      ]);
    }
  });

  it('of a single session is rejected like one, also in a dry run', async () => {
    const [instructor, [member]] = [scheduling.people.instructor(), group(1)];
    await single(instructor, inDays(12));
    const own = await rejectionOf(single(instructor, inDays(12), member));
    expect(own).toMatchObject({ reason: 'instructor_busy', details: { field: 'date', suggestions: [{}, {}, {}] } });
    for (const dryRun of [false, true]) {
      const claimed = claim(aClaim(instructor, [member!], [inDays(12)], { single: {}, dryRun }));
      expect((await rejectionOf(claimed)).toBody()).toEqual(own.toBody());
    }
    const outside = await rejectionOf(claim(aClaim(instructor, [member!], [inDays(12, 3)], { single: {} })));
    expect(outside).toMatchObject({ reason: 'outside_availability', details: { field: 'date', rule: 'hours' } });
  });

  it('of a single session gives it metadata, and shows it in a dry run', async () => {
    const metadata = { lane: '3' };
    const input = aClaim(scheduling.people.instructor(), group(1), [inDays(10)], {
      single: { metadata },
      notes: 'Shy',
    });
    const { sessions: imagined } = await claim({ ...input, dryRun: true });
    const { sessions: made } = await claim(input);
    expect(made).toMatchObject([{ booking_id: input.bookingId, metadata, notes: 'Shy', price_cents: 3_000 }]);
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(imagined).toEqual(made!.map((session) => ({ ...session, ...times })));
  });

  it('skips taken dates on request, and is rejected when none is free', async () => {
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
    expect((await confirm(input.bookingId)).skipped).toEqual(claimed.skipped);
    expect(await claim({ ...input, attempt: 2 })).toEqual(claimed);
    expect(await rejectionOf(claim(aClaim(instructor, group(1), [inDays(12)], { onConflict: 'skip' })))).toMatchObject({
      reason: 'conflicting_dates',
    });
  });

  it('counts buffers between its own dates', async () => {
    const instructor = scheduling.people.instructor({ schedule: aSchedule({ buffer_after_minutes: 10 }) });
    const error = await rejectionOf(claim(aClaim(instructor, group(1), [inDays(10, 10), inDays(10, 10, 30)])));
    expect(error.details.conflicts).toMatchObject([{ index: 1, date: inDays(10, 10, 30), reason: 'instructor_busy' }]);
  });

  it('takes nothing in a run that was released before, and everything in a later one', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(2), [inDays(10)]);
    expect(await release(input.bookingId)).toEqual({ state: 'released' });
    const fence = await scheduling.harness
      .database('scheduling_test')
      .collection('claims')
      .findOne({ key: input.bookingId });
    expect(fence).toMatchObject({ elements: [], dueAt: expect.any(Date) });
    expect((await rejectionOf(claim(input))).reason).toBe('busy_retry');
    expect(await rejectionOf(confirm(input.bookingId))).toMatchObject({ reason: 'invalid_state' });
    expect((await claim({ ...input, attempt: 2 })).sessions).toHaveLength(2);
    expect(await release(input.bookingId)).toEqual({ state: 'confirmed' });
  });

  it('stores nothing in a dry run, and rejects a pool of another school', async () => {
    const instructor = scheduling.people.instructor();
    const dry = aClaim(instructor, group(1), [inDays(10)], { dryRun: true });
    expect((await claim(dry)).sessionIds).toHaveLength(1);
    expect(await rejectionOf(confirm(dry.bookingId))).toMatchObject({ reason: 'invalid_state' });
    await single(instructor, inDays(10));
    expect(await rejectionOf(claim(aClaim(instructor, group(1), [inDays(10)], { dryRun: true })))).toMatchObject({
      reason: 'conflicting_dates',
    });
    const elsewhere = aClaim(instructor, group(1), [inDays(11)], {
      location: { type: 'pool', pool_id: newId('pool') },
    });
    expect(await rejectionOf(claim(elsewhere))).toMatchObject({
      reason: 'not_found',
      details: { field: 'location.pool_id' },
    });
  });
});

describe('a group that shares its instructor’s time', () => {
  it('keeps the time until the last member has left', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(3), [inDays(20)]);
    await claim(input);
    const { sessions } = await confirm(input.bookingId);
    for (const [index, session] of sessions.entries()) {
      expect(await rejectionOf(single(instructor, inDays(20)))).toMatchObject({ reason: 'instructor_busy' });
      if (index === 0)
        await scheduling.harness.call(
          updateSession,
          { session_id: session.id, changes: { date: inDays(21) } },
          asFamily,
        );
      else await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily);
    }
    await single(instructor, inDays(20));
    await wholeness(scheduling.harness.database('scheduling_test'));
  });

  it('rejects a member’s move into the time that the others keep', async () => {
    const instructor = scheduling.people.instructor();
    const input = aClaim(instructor, group(2), [inDays(20)]);
    await claim(input);
    const { sessions } = await confirm(input.bookingId);
    const move = scheduling.harness.call(
      updateSession,
      { session_id: sessions[0]!.id, changes: { date: inDays(20, 10, 15) } },
      asFamily,
    );
    expect(await rejectionOf(move)).toMatchObject({ reason: 'instructor_busy' });
  });
});

describe('a claim in state taking whose process has stopped', () => {
  it('is waited for until its lease ends, and is then released', async () => {
    const instructor = scheduling.people.instructor();
    const database = scheduling.harness.database('scheduling_test');
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
    expect(await rejectionOf(single(instructor, inDays(40)))).toMatchObject({
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
