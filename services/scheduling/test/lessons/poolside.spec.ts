import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelSession,
  checkRoster,
  getRoster,
  getSession,
  type InputOf,
  recordAttendance,
  recordLessonAttendance,
  type Session,
  type SessionObject,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, collectMessages, inDays, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, takePlace } from './places.js';

let scheduling: SchedulingHarness;
let events: BusEvent<SessionObject>[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages(scheduling.harness.connection, 'event.test.scheduling.session.>');
});
afterAll(() => scheduling?.stop());
beforeEach(() => scheduling.clock.set(new Date()));

const MINUTE_MS = 60_000;
const asSchool = { principal: school };
const anInstructor = (timezone = 'UTC') =>
  scheduling.people.instructor({ timezone, schedule: aSchedule({ weekly: [] }) });
const lessonAt = (instructor_id: string, date: string) =>
  aLesson(scheduling, { instructor_id, date, outside_hours: true });
const sessionIn = async (lessonId: string, memberId = scheduling.people.member()): Promise<Session> =>
  (await takePlace(scheduling, lessonId, { memberId }))!;
const roster = (instructor_id: string, date: string, options: RequestOptions = asSchool) =>
  scheduling.harness.call(getRoster, { instructor_id, date }, options);
const startOf = ({ date }: Pick<Session, 'date'>, minutes = 0) => new Date(Date.parse(date) + minutes * MINUTE_MS);
const record = async (
  input: InputOf<typeof recordLessonAttendance>,
  options: RequestOptions = asSchool,
): Promise<[string, string?][]> =>
  (await scheduling.harness.call(recordLessonAttendance, input, options)).entries.map(({ status, reason }) =>
    reason ? [status, reason] : [status],
  );
const attendanceOf = async ({ id: session_id }: Session) =>
  (await scheduling.harness.call(getSession, { session_id }, asSchool)).attendance;

describe('the roster of an instructor', () => {
  it('has the lessons of the day in the zone of the instructor, in order, with who takes part', async () => {
    const instructor = anInstructor('America/Phoenix');
    const day = inDays(10).slice(0, 10);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    // The day in Phoenix lasts from 07:00 to 07:00 UTC.
    await lessonAt(instructor, `${day}T06:15:00.000Z`);
    const late = await lessonAt(instructor, `${next}T06:15:00.000Z`);
    const early = await lessonAt(instructor, `${day}T07:00:00.000Z`);
    await lessonAt(instructor, `${next}T07:00:00.000Z`);
    const session = await sessionIn(late.id);
    const cancelled = await sessionIn(late.id);
    await scheduling.harness.call(cancelSession, { session_id: cancelled.id }, asFamily);
    const { lessons, timezone } = await roster(instructor, day);
    expect(timezone).toBe('America/Phoenix');
    expect(lessons.map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(lessons.map(({ sessions }) => sessions)).toEqual([
      [],
      [
        {
          session_id: session.id,
          member_id: session.member_id,
          name: `Pupil ${session.member_id}`,
          age_years: Number(day.slice(0, 4)),
          swimming_level: 'beginner',
          has_medical_notes: true,
          medical_notes: 'Asthma',
          emergency_contact: null,
          attendance: 'pending',
          first_lesson_with_school: true,
        },
      ],
    ]);
    const scopes = school.scopes.filter((scope) => scope !== 'members:medical');
    const withoutNotes = await roster(instructor, day, { principal: { ...school, scopes } });
    expect(withoutNotes.lessons[1]!.sessions).toMatchObject([{ has_medical_notes: true, medical_notes: null }]);
  });

  it('says who comes for the first time, and hides whom the school may no longer read', async () => {
    const [instructor, member] = [anInstructor(), scheduling.people.member()];
    const [first, second] = [await lessonAt(instructor, inDays(10, 9)), await lessonAt(instructor, inDays(10, 10))];
    const [a] = [await sessionIn(first.id, member), await sessionIn(second.id, member)];
    const read = async () => (await roster(instructor, first.date.slice(0, 10))).lessons.flatMap((l) => l.sessions);
    const firsts = async () => (await read()).map(({ first_lesson_with_school }) => first_lesson_with_school);
    expect(await firsts()).toEqual([true, true]);
    scheduling.clock.set(startOf(a));
    await record({ lesson_id: first.id, entries: [{ session_id: a.id, attendance: 'attended' }] });
    expect(await firsts()).toEqual([true, false]);
    scheduling.people.forbidden.add(member);
    expect((await read())[0]).toMatchObject({
      member_id: member,
      name: null,
      age_years: null,
      emergency_contact: null,
    });
  });

  it('is read by the school alone', async () => {
    const instructor = anInstructor();
    const reasonOf = async (id: string, principal = school) =>
      (await rejectionOf(roster(id, '2027-03-01', { principal }))).reason;
    expect(await reasonOf(instructor, aPrincipal())).toBe('school_only');
    expect(await reasonOf(instructor, aPrincipal({ kind: 'school' }))).toBe('school_only');
    expect(await reasonOf(newId('ins'))).toBe('resource_not_found');
  });
});

describe('a user of the role instructor', () => {
  const asTeacher = (instructorId: string) => ({
    principal: { ...school, scopes: [], userId: newId('usr'), instructorId },
  });
  const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
  const dayIn = (days: number) => inDays(days).slice(0, 10);

  it('reads its own rosters from 7 days before to 7 days after today, with medical notes', async () => {
    const [own, other] = [anInstructor(), anInstructor()];
    scheduling.clock.set(new Date(inDays(0)));
    const lesson = await lessonAt(own, inDays(7));
    await sessionIn(lesson.id);
    for (const days of [-7, 0, 7]) await roster(own, dayIn(days), asTeacher(own));
    const { lessons } = await roster(own, lesson.date.slice(0, 10), asTeacher(own));
    expect(lessons[0]!.sessions).toMatchObject([{ medical_notes: 'Asthma' }]);
    for (const days of [-8, 8]) expect(await reasonOf(roster(own, dayIn(days), asTeacher(own)))).toBe('missing_scope');
    expect(await reasonOf(roster(other, dayIn(0), asTeacher(own)))).toBe('resource_not_found');
  });

  it('reads the days around today in its zone, by the clock of its school', async () => {
    const own = anInstructor('Pacific/Auckland');
    scheduling.clock.set(new Date('2027-03-01T18:00:00.000Z'));
    // Today is 2 March there.
    await roster(own, '2027-03-09', asTeacher(own));
    expect(await reasonOf(roster(own, '2027-02-22', asTeacher(own)))).toBe('missing_scope');
  });

  it('records attendance in its own lessons of these days alone', async () => {
    const [own, other] = [anInstructor(), anInstructor()];
    const [near, far] = [await lessonAt(own, inDays(7)), await lessonAt(own, inDays(20))];
    const foreign = await lessonAt(other, inDays(7, 12));
    const session = await sessionIn(near.id);
    scheduling.clock.set(startOf(near));
    const attend = (lesson_id: string, { id: session_id } = session) =>
      record({ lesson_id, entries: [{ session_id, attendance: 'attended' }] }, asTeacher(own));
    expect(await attend(near.id)).toEqual([['recorded']]);
    expect(await reasonOf(attend(far.id))).toBe('missing_scope');
    expect(await reasonOf(attend(foreign.id))).toBe('resource_not_found');
    const alone = (of: Session) =>
      scheduling.harness.call(recordAttendance, { session_id: of.id, attendance: 'no_show' }, asTeacher(own));
    expect(await alone(session)).toMatchObject({ attendance: 'no_show' });
    const theirs = await sessionIn(foreign.id);
    expect(await reasonOf(alone(theirs))).toBe('resource_not_found');
  });

  it('has a member on its roster while the member takes part in one of these lessons', async () => {
    const [own, other] = [anInstructor(), anInstructor()];
    const [near, far, foreign] = [
      await lessonAt(own, inDays(3)),
      await lessonAt(own, inDays(9)),
      await lessonAt(other, inDays(3)),
    ];
    const sessions = [await sessionIn(near.id), await sessionIn(far.id), await sessionIn(foreign.id)];
    const check = async ({ member_id: memberId }: Session, as: RequestOptions = asTeacher(own)) =>
      (await scheduling.harness.call(checkRoster, { memberId }, as)).isOnRoster;
    expect(await Promise.all(sessions.map((session) => check(session)))).toEqual([true, false, false]);
    expect(await check(sessions[0]!, asSchool)).toBe(false);
    await scheduling.harness.call(cancelSession, { session_id: sessions[0]!.id }, asSchool);
    expect(await check(sessions[0]!)).toBe(false);
  });

  it('has nothing once its profile is gone', async () => {
    const gone = newId('ins');
    expect(await reasonOf(roster(gone, dayIn(0), asTeacher(gone)))).toBe('resource_not_found');
    const check = scheduling.harness.call(checkRoster, { memberId: newId('mem') }, asTeacher(gone));
    expect(await reasonOf(check)).toBe('resource_not_found');
  });
});

describe('the attendance of a lesson', () => {
  it('is recorded entry by entry, from the start on, with one event for each change', async () => {
    const lesson = await lessonAt(anInstructor(), inDays(10));
    const [a, b] = [await sessionIn(lesson.id), await sessionIn(lesson.id)];
    const elsewhere = await sessionIn((await lessonAt(anInstructor(), inDays(10))).id);
    const entries = [
      { session_id: a.id, attendance: 'attended' as const },
      { session_id: elsewhere.id, attendance: 'attended' as const },
      { session_id: newId('ses'), attendance: 'attended' as const },
      { session_id: b.id, attendance: 'no_show' as const },
    ];
    const input = { lesson_id: lesson.id, entries };
    const unknown = ['rejected', 'not_found'];
    expect(await record(input)).toEqual([['rejected', 'not_started'], unknown, unknown, ['rejected', 'not_started']]);
    scheduling.clock.set(startOf(lesson));
    expect(await record(input, { ...asSchool, dryRun: true })).toEqual([['recorded'], unknown, unknown, ['recorded']]);
    expect(await attendanceOf(a)).toBe('pending');
    expect(await record(input)).toEqual([['recorded'], unknown, unknown, ['recorded']]);
    expect(await record(input)).toEqual([['unchanged'], unknown, unknown, ['unchanged']]);
    expect([await attendanceOf(a), await attendanceOf(b)]).toEqual(['attended', 'no_show']);
    const recorded = () =>
      events.filter(({ type, objectId }) => type === 'session.attendance_recorded' && objectId === a.id);
    await until(() => recorded().length > 0, 'the event is published');
    expect(recorded()).toHaveLength(1);
    await scheduling.harness.call(cancelSession, { session_id: b.id }, asSchool);
    expect((await record(input))[3]).toEqual(['rejected', 'invalid_state']);
  });

  it('counts as of when it was noted, whatever comes last', async () => {
    const lesson = await lessonAt(anInstructor(), inDays(10));
    const session = await sessionIn(lesson.id);
    scheduling.clock.set(startOf(lesson, 20));
    const note = (attendance: Session['attendance'], minutes?: number) =>
      record({
        lesson_id: lesson.id,
        entries: [{ session_id: session.id, attendance }],
        ...(minutes === undefined ? {} : { recorded_at: startOf(lesson, minutes).toISOString() }),
      });
    const outdated = [['unchanged', 'recorded_later']];
    expect(await note('attended', 10)).toEqual([['recorded']]);
    expect(await note('no_show', 5)).toEqual(outdated);
    expect(await note('attended', 15)).toEqual([['unchanged']]);
    expect(await note('no_show', 12)).toEqual(outdated);
    expect(await note('no_show', 21)).toEqual([['recorded']]);
    await scheduling.harness.call(recordAttendance, { session_id: session.id, attendance: 'excused' }, asSchool);
    expect(await attendanceOf(session)).toBe('excused');
    expect(await note('attended', 20)).toEqual(outdated);
    expect(await note('attended')).toEqual([['recorded']]);
    expect(await rejectionOf(note('no_show', 22))).toMatchObject({
      reason: 'out_of_range',
      details: { field: 'recorded_at' },
    });
  });

  it('is the one that was noted last, when several are recorded at once', async () => {
    const lesson = await lessonAt(anInstructor(), inDays(10));
    const session = await sessionIn(lesson.id);
    scheduling.clock.set(startOf(lesson, 20));
    const notes = (['attended', 'no_show', 'excused'] as const).map((attendance, index) => ({
      lesson_id: lesson.id,
      entries: [{ session_id: session.id, attendance }],
      recorded_at: startOf(lesson, 10 - index).toISOString(),
    }));
    for (const later of [0, 1, 2]) {
      const racers = notes.map((note, index) => ({
        ...note,
        recorded_at: index === later ? startOf(lesson, 11 + later).toISOString() : note.recorded_at,
      }));
      await Promise.all(racers.map((note) => record(note)));
      expect(await attendanceOf(session)).toBe(notes[later]!.entries[0]!.attendance);
    }
  });

  it('is recorded by the school alone, of a lesson that it sees', async () => {
    const { id: lesson_id } = await lessonAt(anInstructor(), inDays(10));
    const entries = [{ session_id: newId('ses'), attendance: 'attended' as const }];
    const reasonOf = async (id: string, options = {}) =>
      (await rejectionOf(record({ lesson_id: id, entries }, options))).reason;
    expect(await reasonOf(lesson_id, asFamily)).toBe('school_only');
    expect(await reasonOf(newId('lsn'), asSchool)).toBe('resource_not_found');
  });
});
