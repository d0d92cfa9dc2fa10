import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelSession, joinWaitlist, removeHold, updateLesson } from '@swim/contracts';
import { newId } from '@swim/platform';
import { school, withKey } from '../harness.js';
import { linesOf } from '../waitlist/lines.js';
import { Crashing } from './crashing.js';

const PATIENCE_MS = 420_000;

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const { aFullLesson, join, leave, reaches, lessonOf, read } = linesOf(() => crashing);

describe('a process that dies after any single write', () => {
  it(
    'offers the place that a cancellation frees to the first in line, once',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson, sessions } = await aFullLesson();
        const [first, second] = [await join(lesson), await join(lesson)];
        const { id: session_id } = sessions[0]!;
        const { died } = await crashing.dieAt(n, cancelSession, { session_id }, withKey(`free ${newId('req')}`));
        await reaches(first, 'offered');
        expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
        expect(await read(second)).toMatchObject({ status: 'waiting' });
        await crashing.publishedOnce(first.id, ['waitlist.joined', 'waitlist.offered']);
        for (const entry of [second, first]) await leave(entry);
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(8);
    },
    PATIENCE_MS,
  );

  it(
    'passes an offer that is declined on to the next, and ends the first',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson, sessions } = await aFullLesson();
        const [first, second] = [await join(lesson), await join(lesson)];
        await crashing.harness.insist(cancelSession, { session_id: sessions[0]!.id }, withKey(newId('req')));
        const { offer } = await reaches(first, 'offered');
        const input = { hold_id: offer!.hold_id };
        const { died } = await crashing.dieAt(n, removeHold, input, withKey(`decline ${newId('req')}`));
        await reaches(second, 'offered');
        await reaches(first, 'expired');
        await crashing.publishedOnce(first.id, ['waitlist.joined', 'waitlist.offered', 'waitlist.expired']);
        await leave(second);
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );

  it(
    'offers what a larger capacity adds, and leaves nobody out who joins',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { lesson } = await aFullLesson();
        const first = await join(lesson);
        const larger = { lesson_id: lesson.id, changes: { capacity: 2 } };
        await crashing.dieAt(n, updateLesson, larger, withKey(`larger ${newId('req')}`, school));
        await reaches(first, 'offered');
        await leave(first);
        await crashing.wholeness();
        const input = { lesson_id: lesson.id, member_id: crashing.people.member() };
        const { died, value } = await crashing.dieAt(n, joinWaitlist, input, withKey(`join ${newId('req')}`));
        await reaches(value, 'offered');
        await crashing.publishedOnce(value.id, ['waitlist.joined', 'waitlist.offered']);
        await leave(value);
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(6);
    },
    PATIENCE_MS,
  );
});
