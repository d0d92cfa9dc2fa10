import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  cancelLesson,
  createClosure,
  getClosure,
  type Lesson,
  removeClosure,
  updateLesson,
  type WaitlistEntry,
} from '@swim/contracts';
import { collectMessages, inDays, until, updateAll } from '@swim/testing';
import { type SchedulingHarness, school, startScheduling } from '../harness.js';
import { linesOf } from './lines.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const database = () => scheduling.harness.database('scheduling_test');
const { join, read, cancel, reaches, aFullLesson } = linesOf(() => scheduling);
const change = ({ id: lesson_id }: Lesson, changes: object) =>
  scheduling.harness.insist(updateLesson, { lesson_id, changes }, asSchool);
/** Waits until the line of a lesson has been served. */
const isServed = ({ id }: Lesson) =>
  until(
    async () =>
      (await database()
        .collection('lessons')
        .findOne({ _id: id as never }))!.lineDueAt === null,
    'the line is served',
  );

describe('the line of a lesson', () => {
  it('gets its offers back when the lesson moves, and is offered the places at the new time in its order', async () => {
    const { lesson, sessions } = await aFullLesson(2);
    const line = [await join(lesson), await join(lesson), await join(lesson)] as const;
    await cancel(sessions[0]!);
    const { offer } = await reaches(line[0], 'offered');
    const [date, end_date] = [inDays(12), inDays(12, 10, 30)];
    await change(lesson, { date });
    const again = await until(async () => {
      const now = await read(line[0]);
      return now.offer && now.offer.hold_id !== offer!.hold_id ? now : null;
    }, 'the first is offered a place again');
    expect(again).toMatchObject({ status: 'offered', date_from: date, date_to: end_date, offer: { date, end_date } });
    await until(async () => (await read(line[1])).date_from === date, 'the others wait for the new time');
    expect((await read(line[2])).status).toBe('waiting');
  });

  it('ends with the lesson, whose offers end too, each entry once', async () => {
    const { lesson, sessions } = await aFullLesson(2);
    const events = await collectMessages<{ objectId: string; type: string }>(
      scheduling.harness.connection,
      'event.test.scheduling.waitlist.>',
    );
    const line = [await join(lesson), await join(lesson)] as const;
    await cancel(sessions[0]!);
    await reaches(line[0], 'offered');
    await scheduling.harness.call(cancelLesson, { lesson_id: lesson.id }, asSchool);
    for (const entry of line) await reaches(entry, 'expired');
    const typesOf = (entry: WaitlistEntry) => events.filter(({ objectId }) => objectId === entry.id);
    await until(() => typesOf(line[0]).length >= 3 && typesOf(line[1]).length >= 2, 'the events are published');
    expect(typesOf(line[0]).map(({ type }) => type)).toEqual([
      'waitlist.joined',
      'waitlist.offered',
      'waitlist.expired',
    ]);
  });

  it('ends when the lesson begins', async () => {
    const { lesson } = await aFullLesson();
    const entry = await join(lesson);
    const begun = { start: new Date(Date.now() - 3_600_000), end: new Date(Date.now() - 1_800_000) };
    await updateAll(database().collection('lessons'), { _id: lesson.id } as object, begun);
    await updateAll(database().collection('waitlist'), { _id: entry.id } as object, { dueAt: new Date(0) });
    await reaches(entry, 'expired');
  });

  it('waits while the lesson is not bookable', async () => {
    const { lesson, sessions } = await aFullLesson();
    const entry = await join(lesson);
    await change(lesson, { bookable: false });
    await cancel(sessions[0]!);
    await isServed(lesson);
    expect((await read(entry)).status).toBe('waiting');
    await change(lesson, { bookable: true });
    await reaches(entry, 'offered');
  });

  it('gets its offers back when the time is closed, and is served once it is open again', async () => {
    const { lesson, sessions } = await aFullLesson();
    const entry = await join(lesson);
    await cancel(sessions[0]!);
    await reaches(entry, 'offered');
    const input = {
      instructor_ids: [lesson.instructor_id],
      ...{ from: lesson.date, to: lesson.end_date, reason: 'Storm', lessons: 'keep' as const },
    };
    const { id: closure_id } = await scheduling.harness.insist(createClosure, input, asSchool);
    await reaches(entry, 'waiting');
    const isDone = async () => (await scheduling.harness.call(getClosure, { closure_id }, asSchool)).status === 'done';
    await until(isDone, 'the closure is done');
    await isServed(lesson);
    expect((await read(entry)).status).toBe('waiting');
    await scheduling.harness.call(removeClosure, { closure_id }, asSchool);
    await reaches(entry, 'offered');
  });
});
