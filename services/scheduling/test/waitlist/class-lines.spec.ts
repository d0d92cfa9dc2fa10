import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cancelLesson, getHold, listWaitlist, makeSession, type SwimClass, updateLesson } from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, rejectionOf, until, updateAll } from '@swim/testing';
import { classesOf } from '../classes/classes-client.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, withKey } from '../harness.js';
import { bookPlace } from '../lessons/places.js';
import { classLinesOf } from './class-lines.js';

jest.setTimeout(120_000);
let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const asSchool = { principal: school };
const { join, joinClass, read, leave, decline, cancel, enroll, endAll, reaches, lessonOf, aClass, aFullClass } =
  classLinesOf(() => scheduling);
const { patch, create, call } = classesOf(() => scheduling);
const member = () => scheduling.people.member();

describe('who joins the line of a class', () => {
  it('is offered a place in all lessons to come at once where there is one', async () => {
    const { frogs, lessons } = await aClass();
    const [first, , last] = lessons;
    const entry = await joinClass(frogs);
    expect(entry).toMatchObject({
      ...{ class_id: frogs.id, lesson_id: null, instructor_id: frogs.instructor_id, status: 'offered' },
      ...{ date_from: first!.date, date_to: last!.end_date, duration_minutes: 45 },
      offer: { date: first!.date, end_date: first!.end_date },
    });
    const hold = await call(getHold, { hold_id: entry.offer!.hold_id }, asFamily);
    expect(hold).toMatchObject({ waitlist_id: entry.id, lesson_ids: lessons.map(({ id }) => id), status: 'active' });
    for (const lesson of lessons) expect(await lessonOf(lesson)).toMatchObject({ places_left: 5 });
  });

  it('waits for a full one, whose places a cancellation frees and offers together', async () => {
    const { frogs, lessons, sessions } = await aFullClass();
    const line = [await joinClass(frogs), await joinClass(frogs)] as const;
    const single = await join(lessons[0]!);
    expect([line[0].status, line[0].offer, line[1].status, single.status]).toEqual([
      'waiting',
      null,
      'waiting',
      'waiting',
    ]);
    await endAll(sessions);
    const { offer } = await reaches(line[0], 'offered');
    const untilMs = Date.parse(offer!.expires_at) - Date.now();
    expect(untilMs).toBeGreaterThan(29 * 60_000);
    expect(untilMs).toBeLessThanOrEqual(30 * 60_000 + 1_000);
    expect((await read(single)).status).toBe('waiting');
    const blocked = await rejectionOf(enroll(frogs, lessons));
    expect(blocked.reason).toBe('lesson_full');
    await decline(await read(line[0]));
    await reaches(line[1], 'offered');
    expect((await read(line[0])).status).toBe('expired');
    await leave(line[1]);
    await reaches(single, 'offered');
    await until(async () => (await lessonOf(lessons[1]!)).places_left === 1, 'the other places are free for all');
  });

  it('waits while one lesson is full, whose place goes to the class first, and to who waits for the lesson only then', async () => {
    const { frogs, lessons } = await aClass({ capacity: 1 });
    const session = await bookPlace(scheduling, lessons[1]!);
    const single = await join(lessons[1]!);
    const entry = await joinClass(frogs);
    expect(entry.status).toBe('waiting');
    await cancel(session);
    await reaches(entry, 'offered');
    expect((await read(single)).status).toBe('waiting');
    await leave(entry);
    await reaches(single, 'offered');
  });

  it('goes without a place that is free while another lesson is full: the line of the lesson has it', async () => {
    const { frogs, lessons, sessions } = await aFullClass();
    const entry = await joinClass(frogs);
    const single = await join(lessons[1]!);
    await cancel(sessions[1]!);
    await reaches(single, 'offered');
    await cancel(sessions[0]!);
    await until(async () => (await lessonOf(lessons[0]!)).places_left === 1, 'the place is free for all');
    expect((await read(entry)).status).toBe('waiting');
  });

  it('accepts its offer by an enrollment with the hold, and by nothing else', async () => {
    const [{ frogs, lessons }, { frogs: toads }] = [await aClass(), await aClass()];
    const memberId = member();
    const entry = await joinClass(frogs, memberId);
    const holdId = entry.offer!.hold_id;
    const taking = (more: object) => rejectionOf(enroll(frogs, lessons, { memberId, holdId, ...more }));
    expect((await taking({ classId: undefined })).reason).toBe('hold_mismatch');
    expect((await taking({ classId: toads.id })).reason).toBe('hold_mismatch');
    expect((await taking({ memberId: member() })).reason).toBe('hold_mismatch');
    const part = enroll(frogs, lessons.slice(1), { memberId, holdId });
    expect((await rejectionOf(part)).reason).toBe('hold_mismatch');
    const others = aPrincipal({ accountId: newId('acct') });
    const theirs = { memberId: scheduling.people.member(others.accountId), accountId: others.accountId, holdId };
    expect((await rejectionOf(enroll(frogs, lessons, theirs, { principal: others }))).reason).toBe('not_found');
    const bookingId = newId('bkg');
    const sessions = await enroll(frogs, lessons, { memberId, holdId, bookingId });
    expect(sessions.map(({ lesson_id }) => lesson_id)).toEqual(lessons.map(({ id }) => id));
    expect(await reaches(entry, 'accepted')).toMatchObject({ booking_id: bookingId });
    expect((await taking({})).reason).toBe('invalid_state');
  });

  it('gets the same answer again with the same key, and is in the line once', async () => {
    const { frogs } = await aFullClass();
    const memberId = member();
    const entry = await joinClass(frogs, memberId, withKey('class-line-1'));
    expect(await joinClass(frogs, memberId, withKey('class-line-1'))).toEqual(entry);
    expect((await rejectionOf(joinClass(frogs, memberId))).reason).toBe('already_exists');
    const dry = { ...asFamily, dryRun: true };
    expect(await joinClass(frogs, member(), dry)).toMatchObject({ status: 'waiting', class_id: frogs.id });
    await leave(entry);
    expect((await joinClass(frogs, memberId)).id).not.toBe(entry.id);
  });

  it('is seen by its account and the school alone, who list by class', async () => {
    const { frogs } = await aFullClass();
    const others = aPrincipal({ accountId: newId('acct') });
    const entry = await joinClass(frogs);
    const theirs = await joinClass(frogs, scheduling.people.member(others.accountId), { principal: others });
    const list = async (principal: typeof school) =>
      (await call(listWaitlist, { class_id: frogs.id }, { principal })).items.map(({ id }) => id);
    expect(await list(school)).toEqual([theirs.id, entry.id]);
    expect(await list(family)).toEqual([entry.id]);
    expect(await list(others)).toEqual([theirs.id]);
    expect((await rejectionOf(read(entry, { principal: others }))).reason).toBe('resource_not_found');
  });

  it.each<[string, string, string, () => Promise<unknown>]>([
    ['not_found', 'class_id', 'an unknown class', () => joinClass({ id: newId('cls') } as SwimClass)],
    ['not_found', 'class_id', 'a draft', async () => joinClass(await create())],
    ['invalid_state', 'class_id', 'a draft of the school', async () => joinClass(await create(), member(), asSchool)],
    ['not_found', 'member_id', 'a member of others', async () => joinClass((await aClass()).frogs, member2())],
    [
      'not_eligible',
      'class_id',
      'a member who is too young',
      async () => joinClass((await aClass({ min_age_years: 30 })).frogs),
    ],
    [
      'not_eligible',
      'class_id',
      'another level',
      async () => joinClass((await aClass({ levels: ['advanced'] })).frogs),
    ],
    [
      'outside_availability',
      'class_id',
      'lessons that all begin too soon',
      async () => joinClass((await aClassWithNotice(90)).frogs),
    ],
    [
      'already_exists',
      'member_id',
      'a member who is enrolled',
      async () => {
        const { frogs, lessons } = await aClass();
        const memberId = member();
        await enroll(frogs, lessons, { memberId });
        return joinClass(frogs, memberId);
      },
    ],
  ])('is rejected with %s at %s for %s', async (reason, field, _, joining) => {
    const rejection = await rejectionOf(joining());
    expect(rejection.reason).toBe(reason);
    expect(rejection.details.field).toBe(field);
  });

  it('is offered those lessons that do not begin too soon', async () => {
    const { frogs, lessons } = await aClassWithNotice(13);
    const entry = await joinClass(frogs);
    const hold = await call(getHold, { hold_id: entry.offer!.hold_id }, asFamily);
    expect(hold.lesson_ids).toEqual(lessons.slice(1).map(({ id }) => id));
  });
});

const member2 = () => scheduling.people.member(newId('acct'));
const aClassWithNotice = (days: number) => {
  const schedule = aSchedule({ minimum_notice_minutes: days * 24 * 60 });
  return aClass({ instructor_id: scheduling.people.instructor({ schedule }) });
};

describe('a place in an awaited class', () => {
  it('is offered to the first whom it fits and who has time', async () => {
    const { people, harness } = scheduling;
    const { frogs, lessons, sessions } = await aFullClass();
    const [unfit, busy, last] = [member(), member(), member()];
    const line = [await joinClass(frogs, unfit), await joinClass(frogs, busy), await joinClass(frogs, last)] as const;
    people.levels.set(unfit, 'advanced');
    await patch(frogs.id, { levels: ['beginner'] });
    await harness.call(makeSession, aSession(people.instructor(), busy, { date: lessons[2]!.date }), asFamily);
    await endAll(sessions);
    await reaches(line[2], 'offered');
    expect([(await read(line[0])).status, (await read(line[1])).status]).toEqual(['waiting', 'waiting']);
  });

  it('is offered for each place that a larger capacity adds', async () => {
    const { frogs } = await aFullClass();
    const line = [await joinClass(frogs), await joinClass(frogs), await joinClass(frogs)] as const;
    await patch(frogs.id, { capacity: 3 });
    await reaches(line[0], 'offered');
    await reaches(line[1], 'offered');
    expect((await read(line[2])).status).toBe('waiting');
  });

  it('is offered when the lesson that was full is cancelled, and when it has begun', async () => {
    const [one, other] = [await aClass({ capacity: 1 }), await aClass({ capacity: 1 })];
    for (const { lessons } of [one, other]) await bookPlace(scheduling, lessons[0]!);
    const [entry, later] = [await joinClass(one.frogs), await joinClass(other.frogs)];
    expect([entry.status, later.status]).toEqual(['waiting', 'waiting']);
    await call(cancelLesson, { lesson_id: one.lessons[0]!.id }, asSchool);
    await reaches(entry, 'offered');
    const database = scheduling.harness.database('scheduling_test');
    const begun = { start: new Date(Date.now() - 3_600_000), end: new Date(Date.now() - 1_800_000) };
    await updateAll(database.collection('lessons'), { _id: other.lessons[0]!.id } as object, begun);
    await updateAll(database.collection('classes'), { _id: other.frogs.id } as object, { countDueAt: new Date(0) });
    await reaches(later, 'offered');
  });

  it('returns to the line when one of the lessons moves, and is offered again', async () => {
    const { frogs, lessons } = await aClass({ capacity: 1 });
    const entry = await joinClass(frogs);
    const changes = { date: new Date(Date.parse(lessons[1]!.date) + 3_600_000).toISOString() };
    await scheduling.harness.insist(updateLesson, { lesson_id: lessons[1]!.id, changes }, asSchool);
    const again = await until(async () => {
      const now = await read(entry);
      return now.offer && now.offer.hold_id !== entry.offer!.hold_id ? now : null;
    }, 'it is offered again');
    const hold = await call(getHold, { hold_id: again.offer!.hold_id }, asFamily);
    expect(hold.sessions.map(({ date }) => date)).toContain(changes.date);
  });

  it('never goes to others between its release and its offer, however many race for it', async () => {
    const { frogs, lessons, sessions } = await aFullClass();
    const entry = await joinClass(frogs);
    const race = async (): Promise<string> => {
      const { reason } = await rejectionOf(enroll(frogs, lessons));
      return reason === 'busy_retry' || reason === 'change_in_progress' ? race() : reason;
    };
    const racers = Array.from({ length: 8 }, race);
    const freed = endAll(sessions);
    const late = Array.from({ length: 8 }, race);
    await freed;
    expect(new Set(await Promise.all([...racers, ...late]))).toEqual(new Set(['lesson_full']));
    await reaches(entry, 'offered');
  });

  it('is offered to who joins while it becomes free, whichever comes first', async () => {
    for (let round = 0; round < (process.env.CHAOS ? 100 : 8); round++) {
      const { frogs, sessions } = await aFullClass();
      const [entry] = await Promise.all([joinClass(frogs), endAll(sessions)]);
      await reaches(entry, 'offered');
    }
  });
});
