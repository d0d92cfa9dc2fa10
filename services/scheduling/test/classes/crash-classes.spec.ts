import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClass, openClass } from '@swim/contracts';
import { aSchedule } from '@swim/testing';
import { Crashing } from '../faults/crashing.js';
import { school, withKey } from '../harness.js';
import { classesOf } from './classes-client.js';

let crashing: Crashing;
beforeAll(async () => {
  crashing = await Crashing.start();
});
afterAll(() => crashing?.stop());

const { fields, lessonsOf, read } = classesOf(() => crashing);
const aDraft = () => {
  const instructor_id = crashing.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  return crashing.harness.insist(createClass, fields({ instructor_id }), { principal: school });
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
});
