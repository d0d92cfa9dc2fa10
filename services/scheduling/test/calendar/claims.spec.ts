import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { listSessions, makeSession, type Session } from '@swim/contracts';
import { type AppError, newId } from '@swim/platform';
import { aSchedule, inDays, partOf, rejectionOf } from '@swim/testing';
import { CalendarService } from '../../src/calendar/calendar.service.js';
import { ClaimsRepository } from '../../src/calendar/claims.repository.js';
import { aSession, asFamily, type SchedulingHarness, startScheduling, withKey } from '../harness.js';
import { aLesson } from '../lessons/places.js';
import { overlapsOf, wholeness } from './calendar-checks.js';

// `npm run chaos` sets CHAOS.
const [ROUNDS, CHAINS, INTERVALS] = process.env.CHAOS ? [10, 15, 500] : [2, 5, 200];

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

type Outcome = Session | string;
/** Retries until the claim is accepted or rejected for good. */
async function claim(instructorId: string, memberId: string, date: string, duration_minutes: number): Promise<Outcome> {
  const input = aSession(instructorId, memberId, { date, duration_minutes });
  return scheduling.harness.insist(makeSession, input, withKey(newId('req'))).catch((error: AppError) => error.reason);
}
const won = (outcomes: Outcome[]) => outcomes.filter((outcome) => typeof outcome !== 'string');
const openAllDay = () => scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });

describe('concurrent claims', () => {
  it(`give one time to exactly one of 64 claims, ${ROUNDS} times over`, async () => {
    const instructor = openAllDay();
    for (let round = 0; round < ROUNDS; round++) {
      const racers = Array.from({ length: 64 }, () =>
        claim(instructor, scheduling.people.member(), inDays(30 + round), 30),
      );
      const outcomes = await Promise.all(racers);
      expect(won(outcomes)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'instructor_busy')).toHaveLength(63);
    }
  });

  it('succeed at least once in overlapping chains, and are never rejected because of a claim that failed', async () => {
    for (let round = 0; round < CHAINS; round++) {
      const [one, two] = [openAllDay(), openAllDay()];
      const [m, n] = [scheduling.people.member(), scheduling.people.member()];
      const date = inDays(50 + round);
      // A∩B share the instructor, B∩C the member, and C has its own instructor.
      const [a, b, c] = await Promise.all([claim(one, m, date, 60), claim(one, n, date, 60), claim(two, n, date, 60)]);
      const winners = won([a!, b!, c!]);
      expect(winners.length).toBeGreaterThanOrEqual(1);
      if (typeof b === 'string') expect(winners).toHaveLength(2);
      else expect(winners).toHaveLength(1);
    }
  });

  it(`never overlap, whatever their lengths: ${INTERVALS} random intervals on one instructor and four members`, async () => {
    const instructor = scheduling.people.instructor({
      schedule: aSchedule({ weekly: [], buffer_before_minutes: 5, buffer_after_minutes: 10 }),
    });
    const members = Array.from({ length: 4 }, () => scheduling.people.member());
    const inputs = Array.from({ length: INTERVALS }, (_, index) => ({
      member: members[index % 4]!,
      date: inDays(100 + Math.floor(Math.random() * 3), Math.floor(Math.random() * 24), Math.floor(Math.random() * 60)),
      minutes: 15 + Math.floor(Math.random() * 100),
    }));
    for (let start = 0; start < inputs.length; start += 25) {
      await Promise.all(
        inputs.slice(start, start + 25).map(({ member, date, minutes }) => claim(instructor, member, date, minutes)),
      );
    }
    const { items } = await scheduling.harness.call(listSessions, { instructor_id: instructor, limit: 100 }, asFamily);
    expect(items.length).toBeGreaterThan(10);
    expect(overlapsOf(items, 15)).toEqual([]);
    for (const member of members)
      expect(
        overlapsOf(
          items.filter(({ member_id }) => member_id === member),
          0,
        ),
      ).toEqual([]);
    await wholeness(scheduling.harness.database('scheduling_test'));
  });
});

it('a claim that no other claim keeps from its place is tried again at intervals, until its patience ends', async () => {
  const { id: resource } = await aLesson(scheduling, { bookable: false });
  const place = { resource, startMs: 0, endMs: 60_000, holder: newId('ses'), lanes: 6, place: { gen: 0 } };
  const tries = jest.spyOn(partOf(scheduling.service, ClaimsRepository), 'insertTaking');
  const taking = partOf(scheduling.service, CalendarService).take({ key: newId('bkg'), elements: [place] });
  expect((await rejectionOf(taking)).reason).toBe('busy_retry');
  expect(tries.mock.calls.length).toBeLessThan(2_000 / 5);
  tries.mockRestore();
});
