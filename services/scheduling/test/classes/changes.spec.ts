import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BusEvent,
  cancelLesson,
  cancelSession,
  createLesson,
  getSession,
  type SwimClass,
  updateClass,
  updateLesson,
} from '@swim/contracts';
import { aPrincipal, aSchedule, collectMessages, rejectionOf, until } from '@swim/testing';
import { asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { bookPlace } from '../lessons/places.js';
import { classesOf, dateIn, type Fields } from './classes-client.js';

let scheduling: SchedulingHarness;
let events: BusEvent[];
beforeAll(async () => {
  scheduling = await startScheduling();
  events = await collectMessages<BusEvent>(scheduling.harness.connection, 'event.test.scheduling.>');
});
afterAll(() => scheduling?.stop());

const { call, close, create, lessonsOf, list, open, patch, read } = classesOf(() => scheduling);
const asSchool = { principal: school };
const allDay = () => scheduling.people.instructor({ schedule: aSchedule({ weekly: [] }) });
const WEEK: Fields['recurrence']['weekdays'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const NONE = { changed: [], added: [], cancelled: [], skipped: [] };

/** An open class of three lessons, and their ids. */
async function anOpenClass(more: Partial<Fields> = {}): Promise<{ made: SwimClass; ids: string[] }> {
  const { id } = await create({ instructor_id: allDay(), ...more });
  const made = await open(id);
  return { made, ids: (await lessonsOf(id)).map((lesson) => lesson.id) };
}
const at = (made: SwimClass, time: string) => made.recurrence.start_local.replace('16:00', time);
const statesOf = async ({ id }: SwimClass) =>
  (await lessonsOf(id, asSchool)).map(({ date, status }) => [date.slice(0, 16), status]);

describe('PATCH of an open class', () => {
  it('changes its lessons to come, and answers the outcome of each', async () => {
    const { made, ids } = await anOpenClass();
    const other = allDay();
    const changes = { instructor_id: other, capacity: 4, levels: ['beginner' as const], duration_minutes: 30 };
    const answer = await patch(made.id, { ...changes, recurrence: { start_local: at(made, '17:00') } });
    expect(answer).toMatchObject({ ...changes, version: 3, places_left: 4, changes: { ...NONE, changed: ids } });
    for (const lesson of await lessonsOf(made.id))
      expect(lesson).toMatchObject({
        ...changes,
        date: expect.stringMatching('T17:00'),
        version: 2,
        status: 'scheduled',
      });
    const types = () => events.filter(({ objectId }) => [made.id, ids[0]!].includes(objectId)).map(({ type }) => type);
    await until(() => types().length === 5, 'all events');
    expect(types()).toEqual(expect.arrayContaining(['class.updated', 'lesson.rescheduled']));
  });

  it('warns of dates on which its clocks skip the time', async () => {
    const march = Date.UTC(new Date().getUTCFullYear() + 1, 2, 31);
    const sunday = new Date(march - new Date(march).getUTCDay() * 86_400_000).toISOString().slice(0, 10);
    const recurrence = { timezone: 'Europe/Berlin', weekdays: ['sun' as const], count: 1 };
    const { made } = await anOpenClass({ recurrence: { ...recurrence, start_local: `${sunday}T16:00` } });
    const input = { class_id: made.id, changes: { recurrence: { start_local: `${sunday}T02:30` } } };
    const expected = [{ code: 'local_time_skipped', date: sunday, start: `${sunday}T01:30:00.000Z` }];
    for (const dryRun of [true, false]) {
      const { warnings } = await scheduling.harness.request(updateClass, input, { ...asSchool, dryRun });
      expect(JSON.parse(warnings ?? '[]')).toEqual(expected);
    }
  });

  it('leaves what was changed on a lesson itself', async () => {
    const { made, ids } = await anOpenClass();
    const [first, second] = ids;
    const moved = `${dateIn(11)}T09:00:00.000Z`;
    await call(updateLesson, { lesson_id: first!, changes: { date: moved } }, asSchool);
    await call(updateLesson, { lesson_id: second!, changes: { price_cents: 99 } }, asSchool);
    const changed = await patch(made.id, { price_cents: 2_000, recurrence: { start_local: at(made, '17:00') } });
    expect(changed.changes).toEqual({ ...NONE, changed: ids });
    const now = await lessonsOf(made.id);
    expect(now.map(({ date, price_cents }) => [date.slice(0, 16), price_cents])).toEqual([
      [moved.slice(0, 16), 2_000],
      [`${dateIn(17)}T17:00`, 99],
      [`${dateIn(24)}T17:00`, 2_000],
    ]);
  });

  it('keeps the price of booked places', async () => {
    const { made } = await anOpenClass();
    const [first] = await lessonsOf(made.id);
    const { id: session_id } = await bookPlace(scheduling, first!);
    await patch(made.id, { price_cents: 9_900 });
    expect((await call(getSession, { session_id }, asFamily)).price_cents).toBe(1_500);
  });

  it('skips lessons that cannot follow, and says why', async () => {
    const instructor_id = allDay();
    const { made, ids } = await anOpenClass({ instructor_id, capacity: 2 });
    const lesson = { duration_minutes: 30, capacity: 1, price_cents: 0 };
    const taken = `${dateIn(17)}T18:00:00.000Z`;
    await call(createLesson, { instructor_id, date: taken, ...lesson }, asSchool);
    const moving = { recurrence: { start_local: at(made, '18:00') } };
    const skipped = [{ lesson_id: ids[1], date: `${dateIn(17)}T16:00:00.000Z`, reason: 'instructor_busy' }];
    const expected = { ...NONE, changed: [ids[0], ids[2]], skipped };
    expect((await patch(made.id, moving, { dryRun: true })).changes).toEqual(expected);
    expect((await patch(made.id, moving)).changes).toEqual(expected);
    const [first] = await lessonsOf(made.id);
    for (let place = 0; place < 2; place++) await bookPlace(scheduling, first!);
    expect((await patch(made.id, { capacity: 1 })).changes!.skipped).toMatchObject([
      { lesson_id: first!.id, reason: 'capacity_below_taken' },
    ]);
  });

  it('adds and cancels lessons by count, until and except', async () => {
    const { made, ids } = await anOpenClass();
    const more = await patch(made.id, { recurrence: { count: 5 } });
    expect(more.changes).toMatchObject({ ...NONE, added: [expect.any(String), expect.any(String)] });
    const less = await patch(made.id, { recurrence: { until: dateIn(24) } });
    expect(less.changes).toEqual({ ...NONE, cancelled: more.changes!.added });
    const without = await patch(made.id, { recurrence: { except: [dateIn(10)] } });
    expect(without.changes).toEqual({ ...NONE, cancelled: [ids[0]] });
    expect((await read(made.id)).next_lesson_at).toBe(`${dateIn(17)}T16:00:00.000Z`);
    const again = await patch(made.id, { recurrence: { except: [] } });
    expect(again.changes!.added).toHaveLength(1);
    expect(again.changes!.added).not.toEqual([ids[0]]);
    expect((await statesOf(made)).filter(([, status]) => status === 'scheduled')).toHaveLength(3);
  });

  it('says of an added date that has no lesson why', async () => {
    const instructor_id = allDay();
    const { made } = await anOpenClass({ instructor_id });
    const date = `${dateIn(31)}T16:00:00.000Z`;
    await call(createLesson, { instructor_id, date, duration_minutes: 30, capacity: 1, price_cents: 0 }, asSchool);
    const changed = await patch(made.id, { recurrence: { count: 4 } });
    expect(changed.changes).toEqual({ ...NONE, skipped: [{ lesson_id: null, date, reason: 'instructor_busy' }] });
  });

  it('keeps to the published hours, unless `outside_hours` is sent', async () => {
    const { made, ids } = await anOpenClass({ instructor_id: scheduling.people.instructor() });
    const moving = { recurrence: { start_local: at(made, '03:00') } };
    const skipped = ids.map((lesson_id) => expect.objectContaining({ lesson_id, reason: 'outside_availability' }));
    expect((await patch(made.id, moving)).changes).toEqual({ ...NONE, skipped });
    const again = { recurrence: { start_local: at(made, '04:00'), count: 4 }, outside_hours: true };
    const { changes } = await patch(made.id, again);
    expect(changes).toEqual({ ...NONE, changed: ids, added: [expect.any(String)] });
  });

  it('leaves a lesson that the school has cancelled', async () => {
    const { made, ids } = await anOpenClass();
    await call(cancelLesson, { lesson_id: ids[1]! }, asSchool);
    expect((await patch(made.id, { capacity: 3 })).changes).toEqual({ ...NONE, changed: [ids[0], ids[2]] });
  });

  it('changes no lesson by its name or description', async () => {
    const { made } = await anOpenClass();
    expect(await patch(made.id, { name: 'Otters' })).toMatchObject({ name: 'Otters', version: 3, changes: NONE });
    expect(await patch(made.id, { name: 'Otters' })).toMatchObject({ version: 3 });
  });

  it.each<[string, Partial<Fields['recurrence']>]>([
    ['days of the week', { weekdays: ['mon', 'wed'] }],
    ['zone', { timezone: 'Europe/Berlin' }],
    ['first date', { start_local: `${dateIn(3)}T16:00` }],
  ])('rejects another %s: class_open', async (_, recurrence) => {
    const { made } = await anOpenClass();
    const { details } = await rejectionOf(patch(made.id, { recurrence }));
    expect(details).toMatchObject({ reason: 'class_open', field: `recurrence.${Object.keys(recurrence)[0]}` });
    expect(await read(made.id)).toEqual(made);
  });

  it('rejects an instructor with prices in another currency: currency_mismatch', async () => {
    const { made } = await anOpenClass();
    const instructor_id = scheduling.people.instructor({ currency: 'EUR' });
    expect((await rejectionOf(patch(made.id, { instructor_id }))).reason).toBe('currency_mismatch');
  });

  it('goes on with two changes one after the other, and repeats none', async () => {
    const { made, ids } = await anOpenClass();
    const options = { idempotencyKey: 'change once' };
    const first = await patch(made.id, { capacity: 5 }, options);
    await patch(made.id, { capacity: 7 });
    expect(await patch(made.id, { capacity: 5 }, options)).toEqual(first);
    expect(first.changes).toEqual({ ...NONE, changed: ids });
    expect((await read(made.id)).capacity).toBe(7);
  });
});

describe('POST /classes/{id}/close', () => {
  it('cancels the lessons from a date on as by the school, once', async () => {
    const { made, ids } = await anOpenClass();
    const [, second] = await lessonsOf(made.id);
    const { id: session_id } = await bookPlace(scheduling, second!);
    const input = { from: dateIn(17), reason: 'The boiler is broken' };
    const expected = { status: 'closed', changes: { ...NONE, cancelled: ids.slice(1) } };
    expect(await close(made.id, input, { dryRun: true })).toMatchObject(expected);
    expect((await read(made.id)).status).toBe('open');
    const closed = await close(made.id, input);
    expect(closed).toMatchObject({ ...expected, places_left: 6, next_lesson_at: `${dateIn(10)}T16:00:00.000Z` });
    expect(await close(made.id)).toEqual(closed);
    expect((await statesOf(made)).map(([, status]) => status)).toEqual(['scheduled', 'cancelled', 'cancelled']);
    const { cancellation } = await call(getSession, { session_id }, asFamily);
    expect(cancellation).toMatchObject({
      reason: 'The boiler is broken',
      fee_cents: 0,
      cancelled_by: school.accountId,
    });
    expect((await rejectionOf(read(made.id, asFamily))).reason).toBe('resource_not_found');
    expect((await rejectionOf(open(made.id))).reason).toBe('invalid_state');
    const published = () => events.find(({ objectId, type }) => objectId === made.id && type === 'class.closed');
    const event = await until(published, 'the event of the close');
    expect(event).toMatchObject({ audience: [school.accountId], previous: { status: 'open' } });
  });

  it('goes by the dates of its zone, and says whether the participants are notified', async () => {
    const timezone = 'Pacific/Auckland';
    const recurrence = { start_local: `${dateIn(10)}T06:00`, timezone, weekdays: WEEK, count: 3 };
    const { made, ids } = await anOpenClass({ recurrence });
    // In UTC each lesson begins on the day before.
    const [first, second] = await lessonsOf(made.id);
    expect(first!.date.slice(0, 10)).toBe(dateIn(9));
    const { id: session_id } = await bookPlace(scheduling, second!);
    const closed = await close(made.id, { from: dateIn(11), notify_participants: false });
    expect(closed.changes!.cancelled).toEqual(ids.slice(1));
    const { cancellation } = await call(getSession, { session_id }, asFamily);
    expect(cancellation).toMatchObject({ participants_notified: false });
  });

  it('shows the class on to an account that has been enrolled in it, and to no other', async () => {
    const { made } = await anOpenClass();
    const [first] = await lessonsOf(made.id);
    const { id: session_id } = await bookPlace(scheduling, first!, { classId: made.id });
    await call(cancelSession, { session_id }, asFamily);
    await close(made.id);
    expect(await read(made.id, asFamily)).toMatchObject({ id: made.id, status: 'closed' });
    expect(await list({ instructor_id: made.instructor_id })).toEqual([made.id]);
    const stranger = { principal: aPrincipal() };
    expect((await rejectionOf(read(made.id, stranger))).reason).toBe('resource_not_found');
    expect(await list({ instructor_id: made.instructor_id }, stranger)).toEqual([]);
  });

  it('cancels all lessons to come without a date, and leaves only name and description to change', async () => {
    const { made, ids } = await anOpenClass();
    expect((await close(made.id)).changes!.cancelled).toEqual(ids);
    expect((await rejectionOf(patch(made.id, { capacity: 2 }))).reason).toBe('invalid_state');
    expect(await patch(made.id, { description: 'Over' })).toMatchObject({ description: 'Over', changes: NONE });
  });

  it('rejects drafts, families and other schools', async () => {
    const { id } = await create();
    expect((await rejectionOf(close(id))).reason).toBe('invalid_state');
    const { made } = await anOpenClass();
    expect((await rejectionOf(close(made.id, {}, asFamily))).reason).toBe('school_only');
  });

  it('leaves no place booked that families take meanwhile', async () => {
    const { made } = await anOpenClass({ capacity: 30 });
    const lessons = await lessonsOf(made.id);
    const booked = lessons.flatMap((lesson) =>
      Array.from({ length: 4 }, () =>
        bookPlace(scheduling, lesson).then(
          ({ id }) => id,
          () => null,
        ),
      ),
    );
    const [, ...sessions] = await Promise.all([close(made.id), ...booked]);
    for (const session_id of sessions.filter((id) => id !== null))
      await until(
        async () => (await call(getSession, { session_id }, asFamily)).status === 'cancelled',
        'the session is cancelled',
      );
  });
});
