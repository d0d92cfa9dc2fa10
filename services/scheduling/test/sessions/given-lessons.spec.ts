import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cancelSession, completeSession, countLessons, makeSession, recordAttendance } from '@swim/contracts';
import { aPrincipal, aSchedule } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, startScheduling } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const HOUR_MS = 3_600_000;
const firstMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS;
/** An instant so many hours after the first lesson. */
const at = (hours: number): string => new Date(firstMs + hours * HOUR_MS).toISOString();

interface Lesson {
  id: string;
  date: string;
}

const make = (hours: number): Promise<Lesson> => {
  const instructor = scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
  const input = aSession(instructor, scheduling.people.member(), { date: at(hours) });
  return scheduling.harness.call(makeSession, input, asFamily);
};
/** While they take place: the sweep completes a lesson a quarter of an hour after its end. */
async function completeInOrder(lessons: Lesson[]) {
  for (const { id, date } of lessons.toSorted((a, b) => a.date.localeCompare(b.date))) {
    scheduling.clock.set(date);
    await scheduling.harness.call(completeSession, { session_id: id });
  }
}
const attend = ({ id: session_id }: Lesson, attendance: 'no_show' | 'excused' | 'attended') =>
  scheduling.harness.call(recordAttendance, { session_id, attendance });
const count = (boundaries: string[], options = {}, currency = 'USD') =>
  scheduling.harness.call(countLessons, { boundaries, currency }, options);

describe('the lessons that a school gave, counted between instants', () => {
  it('are those completed in their currency; not missed, excused, cancelled or open ones, nor those of another school', async () => {
    const given = await Promise.all([0, 0.1, 5.25, 23.75, 24].map(make));
    const [missed, excused, attended, cancelled] = await Promise.all([1, 2, 3, 4].map(make));
    await scheduling.harness.call(cancelSession, { session_id: cancelled!.id }, asFamily);
    await make(26);
    await completeInOrder([...given, missed!, excused!, attended!]);
    await attend(missed!, 'no_show');
    await attend(excused!, 'excused');
    await attend(attended!, 'attended');
    const days = [at(-24), at(0), at(24), at(48)];
    expect(await count(days)).toEqual({ counts: [0, 5, 1] });
    expect(await count([at(0), at(0.25), at(5.25), at(5.5)])).toEqual({ counts: [2, 1, 1] });
    expect(await count(days, {}, 'EUR')).toEqual({ counts: [0, 0, 0] });
    expect(await count(days, { principal: aPrincipal({ kind: 'school' }) })).toEqual({ counts: [0, 0, 0] });
  });
});
