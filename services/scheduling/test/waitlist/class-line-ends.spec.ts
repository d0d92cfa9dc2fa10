import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClosure, getClosure, removeClosure, type WaitlistEntry } from '@swim/contracts';
import { rejectionOf, until, updateAll } from '@swim/testing';
import { classesOf } from '../classes/classes-client.js';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { classLinesOf } from './class-lines.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const { joinClass, read, reaches, lessonOf, endAll, aClass, aFullClass } = classLinesOf(() => scheduling);
const { patch, close } = classesOf(() => scheduling);

describe('the line of a class', () => {
  it('ends when the class is closed, whose offers end too', async () => {
    const { frogs } = await aClass({ capacity: 1 });
    const line: WaitlistEntry[] = [await joinClass(frogs), await joinClass(frogs)];
    expect(line.map(({ status }) => status)).toEqual(['offered', 'waiting']);
    await close(frogs.id);
    for (const entry of line) await reaches(entry, 'expired');
    expect((await rejectionOf(joinClass(frogs))).reason).toBe('not_found');
    expect((await rejectionOf(joinClass(frogs, scheduling.people.member(), asSchool))).reason).toBe('invalid_state');
  });

  it('is left to the run that serves it, however often the lessons with free places look', async () => {
    const { frogs, lessons, sessions } = await aFullClass();
    const entry = await joinClass(frogs);
    const database = scheduling.harness.database('scheduling_test');
    const classes = database.collection<{ _id: string; lineRev: number }>('classes');
    const lineRevIn = async (name: string, _id: string) =>
      (await database.collection<{ _id: string; lineRev?: number }>(name).findOne({ _id }))?.lineRev ?? 0;
    // The lease of another run.
    await updateAll(classes, { _id: frogs.id }, { lineDueAt: new Date(Date.now() + 60_000) });
    const before = await lineRevIn('classes', frogs.id);
    await endAll(sessions);
    const looks = await lineRevIn('lessons', lessons[0]!.id);
    await until(async () => (await lineRevIn('lessons', lessons[0]!.id)) > looks + 2, 'the lesson has looked twice');
    expect(await lineRevIn('classes', frogs.id)).toBe(before);
    await updateAll(classes, { _id: frogs.id }, { lineDueAt: new Date(0) });
    await reaches(entry, 'offered');
  });

  it('ends when the class is closed after its last lesson', async () => {
    const { frogs } = await aFullClass();
    const entry = await joinClass(frogs);
    await close(frogs.id, { from: '2035-01-01' });
    await reaches(entry, 'expired');
  });

  it('follows the dates of the class, and ends with its last lesson', async () => {
    const { frogs, lessons } = await aFullClass();
    const entry = await joinClass(frogs);
    await patch(frogs.id, { recurrence: { count: 4 } });
    await until(async () => (await read(entry)).date_to > lessons[2]!.end_date, 'it waits for the added lesson too');
    await patch(frogs.id, { recurrence: { count: 2 } });
    await until(async () => (await read(entry)).date_to === lessons[1]!.end_date, 'it waits until the new end');
    const database = scheduling.harness.database('scheduling_test');
    const begun = { start: new Date(Date.now() - 3_600_000), end: new Date(Date.now() - 1_800_000) };
    await updateAll(database.collection('lessons'), { classId: frogs.id } as object, begun);
    await updateAll(database.collection('waitlist'), { _id: entry.id } as object, { dueAt: new Date(0) });
    await reaches(entry, 'expired');
  });

  it('gets its offers back when one of the lessons is closed, and is served once it is open again', async () => {
    const { frogs, lessons } = await aClass({ capacity: 1 });
    const [entry, behind] = [await joinClass(frogs), await joinClass(frogs)];
    const { date: from, end_date: to, instructor_id } = lessons[1]!;
    const input = { instructor_ids: [instructor_id], from, to, reason: 'Storm', lessons: 'keep' as const };
    const { id: closure_id } = await scheduling.harness.insist(createClosure, input, asSchool);
    await reaches(entry, 'waiting');
    const isDone = async () => (await scheduling.harness.call(getClosure, { closure_id }, asSchool)).status === 'done';
    await until(isDone, 'the closure is done');
    await until(async () => (await lessonOf(lessons[0]!)).places_left === 1, 'the places of the others are free');
    expect((await read(entry)).status).toBe('waiting');
    await scheduling.harness.call(removeClosure, { closure_id }, asSchool);
    await reaches(entry, 'offered');
    expect((await read(behind)).status).toBe('waiting');
  });
});
