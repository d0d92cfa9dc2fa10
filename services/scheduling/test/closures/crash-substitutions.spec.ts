import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSubstitution, getSession, makeSession, updateLesson } from '@swim/contracts';
import { inDays } from '@swim/testing';
import { Crashing } from '../faults/crashing.js';
import { aSession, asFamily, school, withKey } from '../harness.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

/** Three lessons of an instructor, of which a substitute is busy during the second. */
async function contested() {
  const { people, harness } = crashing;
  const [instructor_id, substitute_id] = [people.instructor(), people.instructor()];
  const book = (instructor: string, hour: number) =>
    harness.insist(makeSession, aSession(instructor, people.member(), { date: inDays(10, hour) }), asFamily);
  const lessons = [await book(instructor_id, 9), await book(instructor_id, 11), await book(instructor_id, 13)];
  await book(substitute_id, 11);
  await crashing.wholeness();
  const [first, busy, last] = lessons.map(({ id, lesson_id }) => ({ id, lesson_id })) as [Lesson, Lesson, Lesson];
  const time = { from: inDays(10, 0), to: inDays(11, 0), on_conflict: 'skip' } as const;
  return { input: { instructor_id, substitute_id, ...time }, first, busy, last };
}

interface Lesson {
  id: string;
  lesson_id: string;
}

const instructorOf = async ({ id: session_id }: Lesson) =>
  (await crashing.harness.insist(getSession, { session_id }, asFamily)).instructor_id;

describe('a process that dies after any single write', () => {
  it('hands all lessons of a substitution over or none, without its client, and answers a retry with the outcome', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { input, first, busy, last } = await contested();
      const { instructor_id, substitute_id } = input;
      const options = withKey(`substitute ${n}`, school);
      const died = await crashing.dieAlone(n, createSubstitution, input, options);
      const found = await Promise.all([first, busy, last].map(instructorOf));
      const all = [substitute_id, instructor_id, substitute_id];
      expect([all, [instructor_id, instructor_id, instructor_id]]).toContainEqual(found);
      const outcome = await crashing.harness.insist(createSubstitution, input, options);
      expect(outcome).toEqual({
        moved: [first.lesson_id, last.lesson_id],
        skipped: [{ lesson_id: busy.lesson_id, reason: 'instructor_busy' }],
      });
      expect(await Promise.all([first, busy, last].map(instructorOf))).toEqual(all);
      for (const { id } of [first, last]) await crashing.publishedOnce(id, ['session.created', 'session.rescheduled']);
      await crashing.publishedOnce(busy.id, ['session.created']);
      await crashing.wholeness();
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(8);
  }, 420_000);

  it('does not hand a lesson over once more that the school has taken back since', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { input, first } = await contested();
      const options = withKey(`take back ${n}`, school);
      const died = await crashing.dieAlone(n, createSubstitution, input, options);
      const isBegun = (await instructorOf(first)) === input.substitute_id;
      const back = { lesson_id: first.lesson_id, changes: { instructor_id: input.instructor_id } };
      await crashing.harness.insist(updateLesson, back, { principal: school });
      const { moved } = await crashing.harness.insist(createSubstitution, input, options);
      expect(moved).toContain(first.lesson_id);
      expect(await instructorOf(first)).toBe(isBegun ? input.instructor_id : input.substitute_id);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(8);
  }, 420_000);
});
