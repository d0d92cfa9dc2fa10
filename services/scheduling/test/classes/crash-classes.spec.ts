import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeClass, createClass, openClass, updateClass } from '@swim/contracts';
import { aSchedule } from '@swim/testing';
import { Crashing } from '../faults/crashing.js';
import { school, withKey } from '../harness.js';
import { classesOf, dateIn } from './classes-client.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const { fields, lessonsOf, open, read } = classesOf(() => crashing);
const aDraft = (count = 3) => {
  const instructor_id = crashing.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return crashing.harness.insist(
    createClass,
    fields({ instructor_id, recurrence: { ...fields().recurrence, count } }),
    { principal: school },
  );
};

describe('a process that dies after any single write', () => {
  it('makes each lesson of a class that is opened once', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { id: class_id } = await aDraft();
      await crashing.wholeness();
      const { died, value } = await crashing.dieAt(n, openClass, { class_id }, withKey(`open ${n}`, school));
      expect(value).toMatchObject({ status: 'open', version: 2, places_left: 6 });
      const lessons = await lessonsOf(class_id);
      expect(lessons.map(({ date }) => date.slice(11, 16))).toEqual(['16:00', '16:00', '16:00']);
      expect(new Set(lessons.map(({ date }) => date)).size).toBe(3);
      await crashing.publishedOnce(class_id, ['class.created', 'class.opened']);
      for (const { id } of lessons) await crashing.publishedOnce(id, ['lesson.created']);
      await crashing.wholeness();
      expect((await read(class_id)).status).toBe('open');
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  }, 420_000);

  it('changes, adds and cancels each lesson of a class that is changed once', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { id: class_id } = await aDraft(2);
      await open(class_id);
      const [first, second] = (await lessonsOf(class_id)).map(({ id }) => id);
      await crashing.wholeness();
      const input = { class_id, changes: { capacity: 4, recurrence: { count: 3, except: [dateIn(17)] } } };
      const { died, value } = await crashing.dieAt(n, updateClass, input, withKey(`change ${n}`, school));
      expect(value.changes).toMatchObject({ changed: [first], cancelled: [second], skipped: [] });
      const now = await lessonsOf(class_id, { principal: school });
      expect(now.map(({ date, status, capacity }) => [date.slice(0, 10), status, capacity])).toEqual([
        [dateIn(10), 'scheduled', 4],
        [dateIn(17), 'cancelled', 6],
        [dateIn(24), 'scheduled', 4],
      ]);
      expect(value.changes!.added).toEqual([now[2]!.id]);
      await crashing.publishedOnce(first!, ['lesson.created', 'lesson.updated']);
      await crashing.publishedOnce(second!, ['lesson.created', 'lesson.cancelled']);
      await crashing.publishedOnce(class_id, ['class.created', 'class.opened', 'class.updated']);
      await crashing.wholeness();
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(10);
  }, 420_000);

  it('cancels each lesson of a class that is closed once', async () => {
    const writes = await crashing.everywhere(async (n) => {
      const { id: class_id } = await aDraft();
      await open(class_id);
      const ids = (await lessonsOf(class_id)).map(({ id }) => id);
      await crashing.wholeness();
      const { died, value } = await crashing.dieAt(n, closeClass, { class_id }, withKey(`close ${n}`, school));
      expect(value).toMatchObject({ status: 'closed', places_left: null });
      expect(value.changes).toMatchObject({ cancelled: ids });
      for (const id of ids) await crashing.publishedOnce(id, ['lesson.created', 'lesson.cancelled']);
      await crashing.publishedOnce(class_id, ['class.created', 'class.opened', 'class.closed']);
      await crashing.wholeness();
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  }, 420_000);
});
