import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type EventType,
  getMemberProgress,
  type SessionObject,
  sessionAttendanceRecorded,
  sessionCancelled,
  sessionCompleted,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { inDays, publishEvent as publishLesson, until } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
});
afterAll(() => people?.stop());

const read = (member_id: string) => people.harness.call(getMemberProgress, { member_id }, { principal: people.family });

/** Publishes a session's event as scheduling does; `n` is its ordinal among the session's events. */
async function publishEvent(
  type: EventType,
  n: number,
  session: Partial<SessionObject> & { id: string },
): Promise<void> {
  const accounts = [people.family.accountId, people.school.accountId];
  const times = { date: inDays(0), end_date: inDays(0, 11) };
  const object = { account_id: accounts[0], status: 'scheduled', attendance: 'pending', ...times, ...session };
  await publishLesson(people.harness, type, { object, audience: accounts, n });
}

describe('the counts of lessons', () => {
  const counts = async (id: string) => {
    const { sessions_completed, attendance_rate } = await read(id);
    return [sessions_completed, attendance_rate];
  };
  const become = (id: string, expected: unknown[]) =>
    until(async () => JSON.stringify(await counts(id)) === JSON.stringify(expected), `counts become ${expected}`);

  it('are zero at first, and follow completions, attendance and corrections, delivered once or twice', async () => {
    const { id: member_id } = await people.aMember();
    expect(await counts(member_id)).toEqual([0, null]);
    const [one, two] = [newId('ses'), newId('ses')];
    const came = { id: one, member_id, attendance: 'attended' as const };
    await publishEvent(sessionAttendanceRecorded, 2, came);
    await become(member_id, [0, 1]);
    for (let times = 0; times < 2; times++) await publishEvent(sessionCompleted, 3, { ...came, status: 'completed' });
    await become(member_id, [1, 1]);
    await publishEvent(sessionCompleted, 2, { id: two, member_id, status: 'completed' });
    await become(member_id, [2, 1]);
    await publishEvent(sessionAttendanceRecorded, 3, {
      id: two,
      member_id,
      status: 'completed',
      attendance: 'no_show',
    });
    await become(member_id, [2, 0.5]);
    await publishEvent(sessionAttendanceRecorded, 4, {
      id: one,
      member_id,
      status: 'completed',
      attendance: 'no_show',
    });
    await become(member_id, [2, 0]);
    await publishEvent(sessionAttendanceRecorded, 5, {
      id: one,
      member_id,
      status: 'completed',
      attendance: 'excused',
    });
    await publishEvent(sessionAttendanceRecorded, 4, {
      id: two,
      member_id,
      status: 'completed',
      attendance: 'attended',
    });
    await become(member_id, [2, 1]);
  });

  it('are the same for any order of the events', async () => {
    const { id: member_id } = await people.aMember();
    const id = newId('ses');
    await publishEvent(sessionAttendanceRecorded, 4, { id, member_id, status: 'completed', attendance: 'no_show' });
    await publishEvent(sessionCompleted, 3, { id, member_id, status: 'completed', attendance: 'attended' });
    await publishEvent(sessionAttendanceRecorded, 2, { id, member_id, attendance: 'attended' });
    const other = newId('ses');
    await publishEvent(sessionCancelled, 3, { id: other, member_id, status: 'cancelled', attendance: 'attended' });
    await publishEvent(sessionAttendanceRecorded, 2, { id: other, member_id, attendance: 'attended' });
    const last = newId('ses');
    await publishEvent(sessionCompleted, 2, { id: last, member_id, status: 'completed' });
    await become(member_id, [2, 0]);
  });

  it('cost little to read with 500 sessions: about as much as without any', async () => {
    const [{ id: memberId }, { id: newcomer }] = [await people.aMember(), await people.aMember()];
    const lessons = people.harness.database('people_test').collection<{ _id: string }>('lessons');
    const documents = Array.from({ length: 500 }, (_, index) => ({
      _id: newId('ses'),
      readers: [people.family.accountId],
      memberId,
      n: 3,
      status: 'completed',
      attendance: index % 5 === 0 ? 'no_show' : 'attended',
    }));
    await lessons.insertMany(documents);
    const timed = async (id: string, expected: unknown[]) => {
      const startMs = performance.now();
      expect(await counts(id)).toEqual(expected);
      return performance.now() - startMs;
    };
    const [many, none]: [number[], number[]] = [[], []];
    // Interleaved, so that other load on the machine affects both.
    for (let run = 0; run < 100; run++) {
      many.push(await timed(memberId, [500, 0.8]));
      none.push(await timed(newcomer, [0, null]));
    }
    const percentile = (times: number[], share: number) => [...times].sort((a, b) => a - b)[times.length * share]!;
    const [p50, p95] = [percentile(many, 0.5).toFixed(1), percentile(many, 0.95).toFixed(1)];
    process.stdout.write(`progress with 500 sessions: p50 ${p50} ms, p95 ${p95} ms\n`);
    expect(percentile(many, 0.5)).toBeLessThan(4 * percentile(none, 0.5) + 5);
  });
});
