import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  cancelSession,
  claimBooking,
  getLesson,
  getSession,
  type InputOf,
  type Lesson,
  listLessons,
  makeSession,
  paidOfBooking,
  quoteCancellation,
  type Session,
  updateLesson,
  updateSession,
} from '@swim/contracts';
import { aPrincipal, inDays, type RequestOptions, rejectionOf } from '@swim/testing';
import { wholeness } from '../calendar/calendar-checks.js';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aLesson, placesIn, takePlace } from './places.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const lesson = (more: Parameters<typeof aLesson>[1] = {}) => aLesson(scheduling, more);
const read = ({ id: lesson_id }: Lesson) => scheduling.harness.call(getLesson, { lesson_id }, { principal: school });
const placeIn = async ({ id }: Lesson, memberId?: string): Promise<Session> =>
  (await takePlace(scheduling, id, memberId === undefined ? {} : { memberId }))!;
const change = ({ id: session_id }: Session, changes: object, options: RequestOptions = asFamily): Promise<Session> =>
  scheduling.harness.call(updateSession, { session_id, changes } as InputOf<typeof updateSession>, options);
const switched = (session: Session, { id: lesson_id }: Lesson, more: object = {}, options: RequestOptions = asFamily) =>
  change(session, { lesson_id, ...more }, options);
const level = 'beginner' as const;
const whole = () => wholeness(scheduling.harness.database('scheduling_test'));

describe('the place of a session', () => {
  it('in a lesson that others share is not for a family to change: shared_lesson', async () => {
    const session = await placeIn(await lesson());
    for (const type of ['home', 'open_water'])
      expect((await rejectionOf(change(session, { location: { type } }))).reason).toBe('shared_lesson');
  });

  it('is that of its lesson, which it takes along where it is alone', async () => {
    const { people, harness } = scheduling;
    const made = aSession(people.instructor(), people.member(), { location: { type: 'home' } });
    const session = await harness.call(makeSession, made, asFamily);
    const location = { type: 'open_water', pool_id: null };
    expect(await change(session, { location: { type: 'open_water' } })).toMatchObject({ location, version: 2 });
    const asSchool = { principal: school };
    const its = await harness.call(getLesson, { lesson_id: session.lesson_id }, asSchool);
    expect(its).toMatchObject({ location, date: session.date });
    await whole();
  });
});

describe('a session whose lesson its school has moved', () => {
  const money = { paidCents: 0, creditedCents: 0, waivedCents: 0, refundableCents: 0, missedFees: [], owesFees: true };
  beforeAll(() => {
    scheduling.harness.serve(paidOfBooking, () => money);
  });

  it.each<[string, () => InputOf<typeof updateLesson>['changes']]>([
    ['length', () => ({ duration_minutes: 45 })],
    ['time', () => ({ date: inDays(11) })],
    ['instructor', () => ({ instructor_id: scheduling.people.instructor() })],
    ['place', () => ({ location: { type: 'home' } })],
  ])('to another %s is free to cancel until it starts, or its family moves it on', async (_, changes) => {
    const [first, other] = [await lesson(), await lesson({ date: inDays(14) })];
    const session = await placeIn(first);
    const update = (of: InputOf<typeof updateLesson>['changes']) =>
      scheduling.harness.call(updateLesson, { lesson_id: first.id, changes: of }, { principal: school });
    const freeUntil = async () =>
      (await scheduling.harness.call(quoteCancellation, { session_id: session.id }, asFamily)).free_until;
    await update({ capacity: 7 });
    expect(await freeUntil()).toBe(inDays(9));
    const { date } = await update(changes());
    expect(await freeUntil()).toBe(date);
    await switched(session, other);
    expect(await freeUntil()).toBe(inDays(13));
  });
});

describe('a session that changes to another lesson', () => {
  it('takes its place there, at the price of that lesson, and gives back the one that it had', async () => {
    const [from, to] = [await lesson(), await lesson({ date: inDays(12), price_cents: 1_000 })];
    const session = await placeIn(from);
    const moved = await switched(session, to, { notes: 'bring fins' });
    expect(moved).toMatchObject({
      id: session.id,
      lesson_id: to.id,
      instructor_id: to.instructor_id,
      date: to.date,
      price_cents: 1_000,
      notes: 'bring fins',
      version: 2,
    });
    expect(await read(from)).toMatchObject({ places_left: 6, sessions: [] });
    expect(await read(to)).toMatchObject({ places_left: 5, sessions: [{ id: session.id }] });
    expect((await switched(moved, from)).price_cents).toBe(1_500);
    await whole();
  });

  it('never gets a lower price once cancelling it would cost a fee', async () => {
    const soon = new Date(Date.now() + 12 * 3_600_000).toISOString();
    const [from, cheap, dear] = [
      await lesson({ date: soon, outside_hours: true }),
      await lesson({ date: inDays(12), price_cents: 1_000 }),
      await lesson({ date: inDays(13), price_cents: 2_000 }),
    ];
    const moved = await switched(await placeIn(from), cheap);
    expect(moved.price_cents).toBe(1_500);
    expect((await switched(moved, dear)).price_cents).toBe(2_000);
  });

  it('is answered by a dry run as it would be, which changes nothing', async () => {
    const [from, to] = [await lesson(), await lesson({ date: inDays(12) })];
    const session = await placeIn(from);
    const dry = await switched(session, to, {}, { ...asFamily, dryRun: true });
    expect(dry).toMatchObject({ lesson_id: to.id, date: to.date });
    expect(await scheduling.harness.call(getSession, { session_id: session.id }, asFamily)).toMatchObject(session);
    expect(await read(to)).toMatchObject({ places_left: 6 });
  });

  it('is in the only lesson that its family sees of those that are not bookable', async () => {
    const [from, to] = [await lesson({ bookable: false }), await lesson({ date: inDays(12), bookable: false })];
    const asSchool = { principal: school };
    const members = [1, 2].map(() => ({ id: scheduling.people.member(), level, dateOfBirth: '2020-01-15' }));
    const booking = placesIn(scheduling.people, [from], members);
    const { sessions = [] } = await scheduling.harness.call(claimBooking, booking, asSchool);
    const [session, other] = sessions as [Session, Session];
    const seen = async (of: Lesson): Promise<unknown[]> => {
      const listed = await scheduling.harness.call(listLessons, { ids: of.id }, asFamily);
      const found = scheduling.harness.call(getLesson, { lesson_id: of.id }, asFamily);
      const sessions: unknown = await found.then(
        (now) => now.sessions.map(({ id }) => id),
        ({ reason }) => reason,
      );
      return [listed.items.length, sessions];
    };
    await switched(session, to, {}, asSchool);
    expect([await seen(from), await seen(to)]).toEqual([
      [1, [other.id]],
      [1, [session.id]],
    ]);
    await switched(other, to, {}, asSchool);
    await whole();
    expect(await seen(from)).toEqual([0, 'resource_not_found']);
    await switched(session, from, {}, asSchool);
    expect(await seen(from)).toEqual([1, [session.id]]);
    await scheduling.harness.call(cancelSession, { session_id: session.id }, asFamily);
    expect(await seen(from)).toEqual([1, [session.id]]);
  });

  it('can leave a private lesson, which ends then', async () => {
    const own = aSession(scheduling.people.instructor(), scheduling.people.member());
    const session = await scheduling.harness.call(makeSession, own, asFamily);
    const to = await lesson({ date: inDays(12) });
    await switched(session, to);
    const left = scheduling.harness.call(getLesson, { lesson_id: session.lesson_id }, { principal: school });
    expect(await left).toMatchObject({ status: 'cancelled' });
    await whole();
  });

  it('is left as it is by the lesson that it has', async () => {
    const session = await placeIn(await lesson());
    expect(await change(session, { lesson_id: session.lesson_id, date: session.date })).toMatchObject(session);
  });

  it('is rejected where the lesson is full, does not fit, unknown, not bookable, of another school or in another currency', async () => {
    const session = await placeIn(await lesson());
    const full = await lesson({ date: inDays(12), capacity: 1 });
    await placeIn(full);
    const reasonOf = async (to: Lesson) => (await rejectionOf(switched(session, to))).reason;
    expect(await reasonOf(full)).toBe('lesson_full');
    expect(await reasonOf(await lesson({ date: inDays(12), levels: ['advanced'] }))).toBe('not_eligible');
    expect(await reasonOf(await lesson({ date: inDays(12), bookable: false }))).toBe('not_found');
    const euros = scheduling.people.instructor({ currency: 'EUR' });
    expect(await reasonOf(await lesson({ date: inDays(12), instructor_id: euros }))).toBe('currency_mismatch');
    expect(await reasonOf({ ...full, id: 'lsn_01k5zr8q3ve9mbf6w2n0x4ht7c' })).toBe('not_found');
    const others = aPrincipal({ kind: 'school' });
    const instructor_id = scheduling.people.instructor({ schoolId: others.accountId });
    const elsewhere = await aLesson(scheduling, { instructor_id, date: inDays(12) }, { principal: others });
    expect(await reasonOf(elsewhere)).toBe('not_found');
    const foreign = switched(session, full, {}, { principal: aPrincipal() });
    expect((await rejectionOf(foreign)).reason).toBe('resource_not_found');
    await whole();
  });

  it('has no time, instructor or place beside it', async () => {
    const [session, to] = [await placeIn(await lesson()), await lesson({ date: inDays(12) })];
    expect((await rejectionOf(switched(session, to, { date: inDays(13) }))).reason).toBe('mutually_exclusive');
  });
});

describe('a session in a lesson that families share', () => {
  it('is moved to another time by its school alone', async () => {
    const shared = await lesson();
    const [session] = [await placeIn(shared), await placeIn(shared)];
    expect((await rejectionOf(change(session, { date: inDays(12) }))).reason).toBe('shared_lesson');
    expect((await rejectionOf(change(session, { duration_minutes: 45 }))).reason).toBe('shared_lesson');
    expect(await change(session, { notes: 'bring fins' })).toMatchObject({ notes: 'bring fins', version: 2 });
    expect(await change(session, { metadata: { crm: '47' } })).toMatchObject({ metadata: { crm: '47' }, version: 3 });
    const moved = await change(session, { date: inDays(12) }, { principal: school });
    expect(moved.lesson_id).not.toBe(shared.id);
    expect(await read(shared)).toMatchObject({ places_left: 5, status: 'scheduled' });
    await whole();
  });
});
