import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimBooking, confirmBooking, type InputOf, makeSession } from '@swim/contracts';
import { type AppError, newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, startScheduling, withKey } from '../harness.js';
import { conversionOf } from '../holds/hold-conversion.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type ClaimInput = InputOf<typeof claimBooking>;

/** A booking's claim of half an hour at each of these dates, for an instructor with a buffer of ten minutes. */
function aClaim(dates: string[], memberIds: string[], overrides: Partial<ClaimInput> = {}): ClaimInput {
  const { people } = scheduling;
  const instructor = people.instructor({ schedule: aSchedule({ buffer_after_minutes: 10 }) });
  const sessions = dates.map((date) => ({ date, duration_minutes: 30 }));
  const times = { id: '', instructor_id: instructor, member_ids: memberIds, sessions };
  const { holdId: _, ...input } = conversionOf(people, times, { onConflict: 'skip', ...overrides });
  return input;
}

const claim = (input: ClaimInput) => scheduling.harness.call(claimBooking, input, asFamily);
const single = (date: string, memberId: string, instructorId = scheduling.people.instructor()) =>
  scheduling.harness.call(makeSession, aSession(instructorId, memberId, { date }), asFamily);
const datesOf = (sessions: { date: string }[] = []) => [...new Set(sessions.map(({ date }) => date))].sort();

/** Claims a booking after a preview of it, which must answer the same; returns the taken dates and the skipped ones. */
async function claimAsPreviewed(input: ClaimInput) {
  const previewed = await claim({ ...input, dryRun: true });
  const { sessions, ...claimed } = await claim(input);
  expect(previewed).toEqual({ sessionIds: expect.any(Array), skipped: claimed.skipped });
  expect([...previewed.sessionIds].sort()).toEqual([...claimed.sessionIds].sort());
  return { taken: datesOf(sessions), skipped: claimed.skipped };
}

describe('a booking that may skip dates', () => {
  it('skips a date for the buffer of a date that it takes, and no date for the buffer of a skipped one', async () => {
    const dates = [inDays(10, 10), inDays(10, 10, 30), inDays(10, 11)];
    expect(await claimAsPreviewed(aClaim(dates, [scheduling.people.member()]))).toEqual({
      taken: [dates[0], dates[2]],
      skipped: [{ date: dates[1], reason: 'instructor_busy' }],
    });
  });

  it('takes a date beside one at which a member is busy', async () => {
    const [free, busy] = [scheduling.people.member(), scheduling.people.member()];
    const dates = [inDays(10, 10), inDays(10, 10, 30)];
    await single(dates[0]!, busy);
    expect(await claimAsPreviewed(aClaim(dates, [free, busy]))).toEqual({
      taken: [dates[1]],
      skipped: [{ date: dates[0], reason: 'member_busy' }],
    });
  });

  it('takes a date beside one outside the published hours, and lists skipped dates in the order of the request', async () => {
    const member = scheduling.people.member();
    const dates = [inDays(10, 10), inDays(10, 10, 30), inDays(10, 11), inDays(10, 5, 45), inDays(10, 6, 15)];
    await single(dates[0]!, member);
    const input = aClaim(dates, [member]);
    const { taken, skipped } = await claimAsPreviewed(input);
    expect(taken).toEqual([dates[4], dates[1]]);
    expect(skipped).toEqual([
      { date: dates[0], reason: 'member_busy' },
      { date: dates[2], reason: 'instructor_busy' },
      { date: dates[3], reason: 'outside_availability' },
    ]);
    const { bookingId } = input;
    expect((await scheduling.harness.call(confirmBooking, { bookingId }, asFamily)).skipped).toEqual(skipped);
    expect(await claim({ ...input, attempt: 2 })).toMatchObject({ skipped });
  });

  it('takes the other one of two dates when a competing claim takes the first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = scheduling.people.member();
      const [first, second] = [inDays(10 + round, 10), inDays(10 + round, 10, 30)];
      const input = aClaim([first, second], [member]);
      const rival = aSession(scheduling.people.instructor(), member, { date: first });
      const [isRivalFirst, { sessions, skipped }] = await Promise.all([
        scheduling.harness.insist(makeSession, rival, withKey(newId('req'))).then(
          () => true,
          (error: AppError) => {
            expect(error.reason).toBe('member_busy');
            return false;
          },
        ),
        scheduling.harness.insist(claimBooking, input, asFamily),
      ]);
      expect({ taken: datesOf(sessions), skipped }).toEqual(
        isRivalFirst
          ? { taken: [second], skipped: [{ date: first, reason: 'member_busy' }] }
          : { taken: [first], skipped: [{ date: second, reason: 'instructor_busy' }] },
      );
    }
    await wholeness(scheduling.harness.database('scheduling_test'));
  });

  it('is rejected with the cause of each date when none is free', async () => {
    const member = scheduling.people.member();
    const dates = [inDays(20, 10), inDays(20, 10, 30)];
    for (const date of dates) await single(date, member);
    const input = aClaim(dates, [member]);
    for (const dryRun of [true, false]) {
      const { details } = await rejectionOf(claim({ ...input, dryRun }));
      expect(details.conflicts).toMatchObject([
        { index: 0, reason: 'member_busy', member_id: member },
        { index: 1, reason: 'member_busy', member_id: member },
      ]);
    }
  });
});

describe('a booking of all dates or none', () => {
  it('names a date only for the buffer of a date that could be taken, and takes nothing', async () => {
    const member = scheduling.people.member();
    const dates = [inDays(10, 10), inDays(10, 10, 30), inDays(10, 11)];
    await single(dates[0]!, member);
    const input = aClaim(dates, [member], { onConflict: 'fail' });
    for (const dryRun of [true, false]) {
      const { details } = await rejectionOf(claim({ ...input, dryRun }));
      expect(details.conflicts).toEqual([
        expect.objectContaining({ index: 0, reason: 'member_busy' }),
        expect.objectContaining({ index: 2, reason: 'instructor_busy' }),
      ]);
    }
    await single(dates[1]!, member, input.rules.instructorId);
  });
});
