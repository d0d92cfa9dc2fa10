import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelSession, cancelSessions, getHold, joinWaitlist, removeHold, updateLesson } from '@swim/contracts';
import { newId } from '@swim/platform';
import { asFamily, school, withKey } from '../harness.js';
import { classLinesOf } from '../waitlist/class-lines.js';
import { Crashing } from './crashing.js';

const PATIENCE_MS = 420_000;

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const { aFullLesson, aFullClass, join, joinClass, leave, reaches, lessonOf, read } = classLinesOf(() => crashing);

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
    'offers the places that a larger capacity adds, and leaves out nobody who joins meanwhile',
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

  it(
    'offers the places that the end of an enrollment frees together, to the first in the line of the class',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { frogs, lessons, sessions } = await aFullClass();
        const single = await join(lessons[0]!);
        const [first, second] = [await joinClass(frogs), await joinClass(frogs)];
        const cancelled = sessions.map(({ id }) => ({ id, late: false, feeCents: 0 }));
        const input = { sessions: cancelled, reason: null, notifyParticipants: true };
        const { died } = await crashing.dieAt(n, cancelSessions, input, withKey(`end ${newId('req')}`));
        const { offer } = await reaches(first, 'offered');
        const hold = await crashing.harness.insist(getHold, { hold_id: offer!.hold_id }, asFamily);
        expect(hold.lesson_ids).toEqual(lessons.map(({ id }) => id));
        for (const entry of [single, second]) expect(await read(entry)).toMatchObject({ status: 'waiting' });
        await crashing.publishedOnce(first.id, ['waitlist.joined', 'waitlist.offered']);
        for (const entry of [single, second, first]) await leave(entry);
        await crashing.wholeness();
        return died;
      });
      expect(writes).toBeGreaterThanOrEqual(8);
    },
    PATIENCE_MS,
  );

  it(
    'leaves nobody out who joins the line of a class',
    async () => {
      const writes = await crashing.everywhere(async (n) => {
        const { frogs, sessions } = await aFullClass();
        const input = { class_id: frogs.id, member_id: crashing.people.member() };
        const { died, value } = await crashing.dieAt(n, joinWaitlist, input, withKey(`join ${newId('req')}`));
        const cancelled = sessions.map(({ id }) => ({ id, late: false, feeCents: 0 }));
        const ending = { sessions: cancelled, reason: null, notifyParticipants: true };
        await crashing.harness.insist(cancelSessions, ending, withKey(newId('req')));
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
