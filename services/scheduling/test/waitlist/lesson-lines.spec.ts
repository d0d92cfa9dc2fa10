import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cancelLesson, getHold, type Lesson, listWaitlist, makeSession, updateLesson } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, rejectionOf, until, updateAll } from '@swim/testing';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { aLesson, bookPlace, takePlace } from '../lessons/places.js';
import { linesOf } from './lines.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const database = () => scheduling.harness.database('scheduling_test');
const { join, read, leave, decline, cancel, lessonOf, reaches, aFullLesson } = linesOf(() => scheduling);
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

describe('who joins the line of a lesson', () => {
  it('is offered a place at once where there is one, which counts as taken and for no limit of holds', async () => {
    const lesson = await aLesson(scheduling, { capacity: 6 });
    for (let places = 5; places > 1; places--) {
      const entry = await join(lesson);
      const { id: lesson_id, instructor_id, date, end_date, duration_minutes } = lesson;
      expect(entry).toMatchObject({ lesson_id, instructor_id, duration_minutes, status: 'offered' });
      expect(entry).toMatchObject({ date_from: date, date_to: end_date, offer: { date, end_date } });
      expect(await lessonOf(lesson)).toMatchObject({ places_left: places, version: 1 });
    }
  });

  it('waits for a full one, where the first is offered the place that becomes free', async () => {
    const { lesson, sessions } = await aFullLesson();
    const [first, second] = [await join(lesson), await join(lesson)];
    expect([first.status, first.offer, second.status]).toEqual(['waiting', null, 'waiting']);
    await cancel(sessions[0]!);
    const { offer } = await reaches(first, 'offered');
    const until = Date.parse(offer!.expires_at) - Date.now();
    expect(until).toBeGreaterThan(29 * 60_000);
    expect(until).toBeLessThanOrEqual(30 * 60_000 + 1_000);
    expect(await scheduling.harness.call(getHold, { hold_id: offer!.hold_id }, asFamily)).toMatchObject({
      status: 'active',
      waitlist_id: first.id,
    });
    expect((await read(second)).status).toBe('waiting');
    expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
    expect((await rejectionOf(takePlace(scheduling, lesson.id))).reason).toBe('lesson_full');
  });

  it('accepts its offer by a booking with the hold, in which its member need not fit any more', async () => {
    const { people } = scheduling;
    const [lesson, memberId] = [await aLesson(scheduling, { capacity: 1 }), people.member()];
    const entry = await join(lesson, memberId);
    people.levels.set(memberId, 'advanced');
    await change(lesson, { levels: ['beginner'] });
    const session = await bookPlace(scheduling, lesson, { memberId, holdId: entry.offer!.hold_id });
    expect(session).toMatchObject({ lesson_id: lesson.id, member_id: memberId, status: 'scheduled' });
    expect(await reaches(entry, 'accepted')).toMatchObject({ booking_id: session.booking_id });
    expect(await lessonOf(lesson)).toMatchObject({ places_left: 0 });
  });

  it('gets the same answer again with the same key, and is in the line once', async () => {
    const { lesson } = await aFullLesson();
    const member = scheduling.people.member();
    const entry = await join(lesson, member, withKey('line-1'));
    expect(await join(lesson, member, withKey('line-1'))).toEqual(entry);
    expect((await rejectionOf(join(lesson, member))).reason).toBe('already_exists');
    const dry = { ...asFamily, dryRun: true };
    expect((await rejectionOf(join(lesson, member, dry))).reason).toBe('already_exists');
    expect(await join(lesson, scheduling.people.member(), dry)).toMatchObject({ status: 'waiting' });
    await leave(entry);
    expect((await join(lesson, member)).id).not.toBe(entry.id);
  });

  it('is seen by its account and the school alone', async () => {
    const { lesson } = await aFullLesson(1, { bookable: true });
    const others = aPrincipal({ accountId: newId('acct') });
    const entry = await join(lesson);
    const theirs = await join(lesson, scheduling.people.member(others.accountId), { principal: others });
    const list = async (principal: typeof school) => {
      const { items } = await scheduling.harness.call(listWaitlist, { lesson_id: lesson.id }, { principal });
      return items.map(({ id }) => id);
    };
    expect(await list(school)).toEqual([theirs.id, entry.id]);
    expect(await list(family)).toEqual([entry.id]);
    expect(await list(others)).toEqual([theirs.id]);
    expect((await rejectionOf(read(entry, { principal: others }))).reason).toBe('resource_not_found');
    expect(JSON.stringify(await read(theirs, { principal: others }))).not.toContain(entry.id);
  });

  it.each<[string, string, (lesson: Lesson) => Promise<unknown>]>([
    ['not_found', 'a lesson that it cannot see', () => join({ id: newId('lsn') })],
    ['not_found', 'a private lesson', async () => join({ id: (await takePrivate()).lesson_id })],
    ['not_found', 'a lesson that is not bookable', async () => join(await aLesson(scheduling, { bookable: false }))],
    ['not_found', 'a member of others', (lesson) => join(lesson, scheduling.people.member(newId('acct')))],
    ['not_eligible', 'a member who is too young', async () => join(await aLesson(scheduling, { min_age_years: 30 }))],
    ['not_eligible', 'a member who is too old', async () => join(await aLesson(scheduling, { max_age_years: 3 }))],
    ['not_eligible', 'another level', async () => join(await aLesson(scheduling, { levels: ['advanced'] }))],
    ['outside_availability', 'a lesson that begins too soon', async () => join(await aLessonWithNotice())],
    ['invalid_state', 'a cancelled lesson', async (lesson) => join(await cancelled(lesson))],
    ['already_exists', 'a member who has a place', async (lesson) => join(lesson, (await placed(lesson)).member_id)],
  ])('is rejected with %s for %s', async (reason, _, joining) => {
    const rejection = await rejectionOf(joining(await aLesson(scheduling)));
    expect(rejection.reason).toBe(reason);
    expect(rejection.details.field).toMatch(/^(?:lesson_id|member_id|status)$/);
  });

  it('is rejected with in_past for a lesson that has begun', async () => {
    const lesson = await aLesson(scheduling);
    const begun = { start: new Date(Date.now() - 3_600_000), end: new Date(Date.now() - 1_800_000) };
    await updateAll(database().collection('lessons'), { _id: lesson.id } as object, begun);
    expect(await rejectionOf(join(lesson))).toMatchObject({ reason: 'in_past', details: { field: 'lesson_id' } });
  });

  it('need not fit where the school has joined for it', async () => {
    const lesson = await aLesson(scheduling, { levels: ['advanced'] });
    expect(await join(lesson, scheduling.people.member(), asSchool)).toMatchObject({
      account_id: family.accountId,
      status: 'offered',
    });
  });
});

const takePrivate = () =>
  scheduling.harness.call(makeSession, aSession(scheduling.people.instructor(), scheduling.people.member()), asFamily);
const aLessonWithNotice = () => {
  const schedule = aSchedule({ minimum_notice_minutes: 30 * 24 * 60 });
  return aLesson(scheduling, { instructor_id: scheduling.people.instructor({ schedule }) });
};
const cancelled = async (lesson: Lesson) => {
  await scheduling.harness.call(cancelLesson, { lesson_id: lesson.id }, asSchool);
  return lesson;
};
const placed = async ({ id }: Lesson) => (await takePlace(scheduling, id))!;

describe('a place of an awaited lesson', () => {
  it('passes to the next in line when its offer is declined, and when it expires', async () => {
    const { lesson, sessions } = await aFullLesson();
    const line = [await join(lesson), await join(lesson), await join(lesson)] as const;
    await cancel(sessions[0]!);
    await decline(await reaches(line[0], 'offered'));
    const { offer } = await reaches(line[1], 'offered');
    expect((await read(line[0])).status).toBe('expired');
    // The revision keeps sweeps that have read the hold before from scheduling its end anew.
    const past = { expiresAt: new Date(0), dueAt: new Date(0), rev: 1_000_000 };
    await updateAll(database().collection('holds'), { _id: offer!.hold_id } as object, past);
    await reaches(line[2], 'offered');
    expect((await read(line[1])).status).toBe('expired');
    await leave(line[2]);
    await until(async () => (await lessonOf(lesson)).places_left === 1, 'the place is free for all');
  });

  it('is offered to the first whom the lesson fits and who has time', async () => {
    const { people, harness } = scheduling;
    const { lesson, sessions } = await aFullLesson();
    const [unfit, busy, last] = [people.member(), people.member(), people.member()];
    const line = [await join(lesson, unfit), await join(lesson, busy), await join(lesson, last)] as const;
    people.levels.set(unfit, 'advanced');
    await change(lesson, { levels: ['beginner'] });
    await harness.call(makeSession, aSession(people.instructor(), busy, { date: lesson.date }), asFamily);
    await cancel(sessions[0]!);
    await reaches(line[2], 'offered');
    expect([(await read(line[0])).status, (await read(line[1])).status]).toEqual(['waiting', 'waiting']);
  });

  it('is free for all while the lesson fits nobody who waits, and is offered to those who wait once it fits them', async () => {
    const { lesson, sessions } = await aFullLesson();
    const member = scheduling.people.member();
    const entry = await join(lesson, member);
    scheduling.people.levels.set(member, 'advanced');
    await change(lesson, { levels: ['beginner'] });
    await cancel(sessions[0]!);
    await until(async () => (await lessonOf(lesson)).places_left === 1, 'the place is free for all');
    expect((await read(entry)).status).toBe('waiting');
    await change(lesson, { levels: [] });
    await reaches(entry, 'offered');
  });

  it('is offered for each place that a larger capacity adds', async () => {
    const { lesson } = await aFullLesson();
    const line = [await join(lesson), await join(lesson), await join(lesson)] as const;
    await change(lesson, { capacity: 3 });
    await reaches(line[0], 'offered');
    await reaches(line[1], 'offered');
    await isServed(lesson);
    expect((await read(line[2])).status).toBe('waiting');
    expect(await lessonOf(lesson)).toMatchObject({ capacity: 3, places_left: 0 });
  });

  it('never goes to others between its release and its offer, however many race for it', async () => {
    const { lesson, sessions } = await aFullLesson(2);
    const line = [await join(lesson), await join(lesson)] as const;
    const race = async (): Promise<string> => {
      const { reason } = await rejectionOf(takePlace(scheduling, lesson.id));
      return reason === 'busy_retry' ? race() : reason;
    };
    const racers = Array.from({ length: 12 }, race);
    const freed = Promise.all(sessions.map(cancel));
    const late = Array.from({ length: 12 }, race);
    await freed;
    expect(new Set(await Promise.all([...racers, ...late]))).toEqual(new Set(['lesson_full']));
    for (const entry of line) await reaches(entry, 'offered');
  });

  it('is offered to who joins while it becomes free, whichever comes first', async () => {
    const rounds = process.env.CHAOS ? 200 : 20;
    for (let round = 0; round < rounds; round++) {
      const { lesson, sessions } = await aFullLesson(1, { instructor_id: scheduling.people.instructor() });
      const [entry] = await Promise.all([join(lesson), cancel(sessions[0]!)]);
      await reaches(entry, 'offered');
    }
  });
});
