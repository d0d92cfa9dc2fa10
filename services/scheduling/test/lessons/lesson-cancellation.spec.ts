import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelLesson,
  cancelSession,
  completeSession,
  createLesson,
  getLesson,
  getSession,
  type InputOf,
  type Lesson,
  makeSession,
} from '@swim/contracts';
import { aPrincipal, collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, takePlace } from './places.js';

let scheduling: SchedulingHarness;
let events: BusEvent<Lesson>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.*.scheduling.lesson.>');
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const cancel = (lesson_id: string, more: Partial<InputOf<typeof cancelLesson>> = {}, options: RequestOptions = {}) =>
  scheduling.harness.call(cancelLesson, { lesson_id, ...more }, { ...asSchool, ...options });
const read = (lesson_id: string, options: RequestOptions = asSchool) =>
  scheduling.harness.call(getLesson, { lesson_id }, options);
const sessionOf = async (lessonId: string) => (await takePlace(scheduling, lessonId))!;
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));
const reasonOf = async (request: Promise<unknown>) => (await rejectionOf(request)).reason;

describe('a lesson that its school cancels', () => {
  it('cancels each session without a fee, frees its instructor and members, and publishes its event to the school alone', async () => {
    const lesson = await aLesson(scheduling);
    const [a, b] = [await sessionOf(lesson.id), await sessionOf(lesson.id)];
    const answer = await cancel(lesson.id, { reason: 'Storm' });
    expect(answer).toMatchObject({ id: lesson.id, status: 'cancelled', places_left: 0, version: 2 });
    expect(answer.sessions.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const session = await scheduling.harness.call(getSession, { session_id: a.id }, asFamily);
    expect(session.cancellation).toMatchObject({
      ...{ reason: 'Storm', cancelled_by: school.accountId, fee_cents: 0, participants_notified: true },
    });
    const again = (instructorId: string, memberId: string) =>
      scheduling.harness.call(makeSession, aSession(instructorId, memberId), asFamily);
    await again(lesson.instructor_id, a.member_id);
    await again(scheduling.people.instructor(), b.member_id);
    await whole();
    const published = await until(
      () => events.find(({ objectId, type }) => objectId === lesson.id && type === 'lesson.cancelled'),
      'the event is published',
    );
    expect(published).toMatchObject({ audience: [school.accountId], previous: { status: 'scheduled' } });
    expect(published.object).not.toHaveProperty('sessions');
    expect(await cancel(lesson.id, { reason: 'Again' })).toEqual(answer);
  });

  it('keeps quiet where the school says so', async () => {
    const { id } = await aLesson(scheduling);
    const { id: session_id } = await sessionOf(id);
    await cancel(id, { notify_participants: false });
    const { cancellation } = await scheduling.harness.call(getSession, { session_id }, asFamily);
    expect(cancellation).toMatchObject({ participants_notified: false });
  });

  it('is unchanged by a dry run, which answers what would be', async () => {
    const lesson = await aLesson(scheduling);
    await sessionOf(lesson.id);
    const before = await read(lesson.id);
    const imagined = await cancel(lesson.id, {}, { dryRun: true });
    expect(imagined).toMatchObject({ status: 'cancelled', version: 2, places_left: 0 });
    expect(await read(lesson.id)).toEqual(before);
    const { updated_at: _, ...cancelled } = await cancel(lesson.id);
    expect(imagined).toMatchObject(cancelled);
  });

  it('ends holds, and cancels the session of a booking that was confirmed but not made yet', async () => {
    const { id } = await aLesson(scheduling);
    await takePlace(scheduling, id, { holdMs: 600_000 });
    await takePlace(scheduling, id, { unmade: true });
    await cancel(id);
    await until(async () => (await read(id)).sessions.length === 1, 'recovery makes the session');
    await whole();
    expect((await read(id)).sessions).toMatchObject([{ status: 'cancelled' }]);
  });

  it('is cancelled also while its sessions are', async () => {
    const { id } = await aLesson(scheduling);
    const sessions = await Promise.all([1, 2, 3].map(() => sessionOf(id)));
    const own = sessions.map((each) => scheduling.harness.call(cancelSession, { session_id: each.id }, asFamily));
    await Promise.all([cancel(id), ...own, cancel(id)]);
    expect((await read(id)).sessions.map(({ status }) => status)).toEqual(Array(3).fill('cancelled'));
    await whole();
  });

  it('gives no place any more', async () => {
    const { id } = await aLesson(scheduling);
    await Promise.allSettled([cancel(id), ...[1, 2, 3, 4].map(() => takePlace(scheduling, id))]);
    await until(
      async () => (await read(id)).sessions.every(({ status }) => status === 'cancelled'),
      'all are cancelled',
    );
    await whole();
    await expect(takePlace(scheduling, id)).rejects.toBeDefined();
  });

  it('leaves a completed session as it is, and cancels one that has begun', async () => {
    const lesson = await aLesson(scheduling, { date: inDays(1) });
    const [given, open] = [await sessionOf(lesson.id), await sessionOf(lesson.id)];
    scheduling.clock.set(new Date(Date.parse(lesson.date) + 60_000));
    try {
      await scheduling.harness.call(completeSession, { session_id: given.id }, asSchool);
      const statuses = new Map((await cancel(lesson.id)).sessions.map(({ id, status }) => [id, status]));
      expect(statuses.get(given.id)).toBe('completed');
      expect(statuses.get(open.id)).toBe('cancelled');
    } finally {
      scheduling.clock.set(new Date());
    }
  });

  it('rejects families, strangers, completed lessons, and credits that no booking gives', async () => {
    const { id, date } = await aLesson(scheduling, { date: inDays(2) });
    expect(await reasonOf(cancel(id, {}, asFamily))).toBe('school_only');
    const hidden = await aLesson(scheduling, { bookable: false });
    expect(await reasonOf(cancel(hidden.id, {}, { principal: aPrincipal({ kind: 'school' }) }))).toBe(
      'resource_not_found',
    );
    await takePlace(scheduling, id, { makeupCredits: false });
    expect(await reasonOf(cancel(id, { refund_as: 'credit' }))).toBe('credits_not_offered');
    scheduling.clock.set(new Date(Date.parse(date) + 3_600_000));
    try {
      const isCompleted = async () => (await read(id)).status === 'completed';
      await until(isCompleted, 'the lesson is completed');
      expect(await reasonOf(cancel(id))).toBe('invalid_state');
    } finally {
      scheduling.clock.set(new Date());
    }
  });
});

describe('a lesson that is over', () => {
  it('is completed 15 minutes after its end, with one event for its school', async () => {
    const lesson = await aLesson(scheduling, { date: inDays(3) });
    const endMs = Date.parse(lesson.end_date);
    scheduling.clock.set(new Date(endMs + 14 * 60_000));
    await scheduling.harness.call(createLesson, { ...later(lesson) }, asSchool);
    expect(await read(lesson.id)).toMatchObject({ status: 'scheduled' });
    scheduling.clock.set(new Date(endMs + 15 * 60_000));
    await until(async () => (await read(lesson.id)).status === 'completed', 'the lesson is completed');
    scheduling.clock.set(new Date());
    expect(await read(lesson.id)).toMatchObject({ places_left: 0, version: 2 });
    const types = () => events.filter(({ objectId }) => objectId === lesson.id).map(({ type }) => type);
    await until(() => types().includes('lesson.completed'), 'the event is published');
    expect(types()).toEqual(['lesson.created', 'lesson.completed']);
  });

  it('is completed without an event where it is private', async () => {
    const session = await scheduling.harness.call(
      makeSession,
      aSession(scheduling.people.instructor(), scheduling.people.member(), { date: inDays(3) }),
      asFamily,
    );
    scheduling.clock.set(new Date(Date.parse(session.end_date) + 15 * 60_000));
    await until(async () => (await read(session.lesson_id)).status === 'completed', 'the lesson is completed');
    scheduling.clock.set(new Date());
    expect(events.filter(({ objectId }) => objectId === session.lesson_id)).toEqual([]);
  });
});

const later = ({ instructor_id, date }: Lesson): InputOf<typeof createLesson> => ({
  ...{ instructor_id, duration_minutes: 30, capacity: 1, price_cents: 1_000 },
  date: new Date(Date.parse(date) + 24 * 3_600_000).toISOString(),
});
