import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  claimBooking,
  createPool,
  findFreeInstructors,
  getAvailability,
  type InputOf,
  listAvailability,
  makeSession,
  removePool,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, aSchedule, inDays, partOf, rejectionOf } from '@swim/testing';
import { DaysRepository } from '../../src/calendar/days.repository.js';
import { aSession, asFamily, family, type SchedulingHarness, school, startScheduling, TERMS } from '../harness.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'Europe/Berlin' };
const aPool = async (lanes: number | null = 1, principal = school) =>
  (await scheduling.harness.call(createPool, { ...BATHS, lanes }, { principal })).id;
const remove = (pool_id: string) => scheduling.harness.call(removePool, { pool_id });
type Known = Parameters<SchedulingHarness['people']['instructor']>[0];
const teachingIn = (poolIds: string[], more: Known = {}) =>
  scheduling.people.instructor({ defaultPoolId: poolIds[0] ?? null, poolIds, ...more });
const book = (instructorId: string, more: Partial<InputOf<typeof makeSession>> = {}) =>
  scheduling.harness.call(makeSession, aSession(instructorId, scheduling.people.member(), more), asFamily);
const inPool = (pool_id: string) => ({ type: 'pool', pool_id }) as const;

describe('the default location of a session', () => {
  it('is the first of the instructor’s pools that still exists, and its lanes count', async () => {
    const [removed, second, third] = [await aPool(), await aPool(), await aPool()];
    await remove(removed);
    const poolIds = [removed, second, third];
    expect((await book(teachingIn(poolIds))).location).toEqual(inPool(second));
    expect((await rejectionOf(book(teachingIn(poolIds)))).reason).toBe('pool_full');
  });

  it('is the first of the instructor’s pools that belongs to the school, and none when none does', async () => {
    const [foreign, own] = [await aPool(1, aPrincipal({ kind: 'school' })), await aPool()];
    expect((await book(teachingIn([foreign, own]))).location).toEqual(inPool(own));
    expect((await book(teachingIn([foreign]))).location).toBeNull();
  });

  it('is the same for the sessions of a booking', async () => {
    const [removed, second] = [await aPool(), await aPool()];
    await remove(removed);
    const instructorId = teachingIn([removed, second]);
    const { schedule, timezone } = scheduling.people.instructors.get(instructorId)!;
    const rules = { instructorId, schoolId: school.accountId, timezone, schedule, enforceAvailability: true };
    const lesson = { id: newId('ses'), memberId: scheduling.people.member() };
    const input = {
      bookingId: newId('bkg'),
      accountId: family.accountId,
      rules: { ...rules, defaultPoolId: removed },
      terms: TERMS,
      currency: 'USD',
      location: null,
      notes: null,
      slots: [{ date: inDays(10), durationMinutes: 30, priceCents: 3_000, sessions: [lesson] }],
      onConflict: 'fail' as const,
      dryRun: false,
    };
    const { sessions } = await scheduling.harness.call(claimBooking, input, asFamily);
    expect(sessions).toMatchObject([{ location: inPool(second) }]);
  });
});

const HOURS = { weekly: aSchedule().weekly.map(({ day }) => ({ day, start: '10:00', end: '12:00' })) };
const morning = aSchedule(HOURS);
const day = { date_from: inDays(10, 0), date_to: inDays(11, 0) };
const STARTS = ['10:00', '10:30', '11:00', '11:30'];

/** The starts of free slots of one instructor that day. */
async function startsOf(instructor_id: string): Promise<string[]> {
  const { slots } = await scheduling.harness.call(getAvailability, { instructor_id, ...day }, asFamily);
  return slots.map(({ start }) => start.slice(11, 16));
}

/** As `startsOf`, for each of several instructors, from the list. */
async function listedStarts(ids: string[], more: Partial<InputOf<typeof listAvailability>> = {}): Promise<string[][]> {
  const query = { ...day, instructor_ids: ids.join(','), limit: 100, ...more };
  const { items } = await scheduling.harness.call(listAvailability, query, asFamily);
  const starts = Map.groupBy(items, ({ instructor_id }) => instructor_id);
  return ids.map((id) => (starts.get(id) ?? []).map(({ date }) => date.slice(11, 16)));
}

/** Those of these instructors that are free for 30 minutes, on a date or from an instant on. */
async function freeAt(at: string, ids: string[]): Promise<string[]> {
  const instructors = ids.map((id) => {
    const { timezone, schedule, schoolId, poolIds } = scheduling.people.instructors.get(id)!;
    return { id, timezone, schedule, schoolId, poolIds };
  });
  return (await scheduling.harness.call(findFreeInstructors, { at, durationMinutes: 30, instructors }, asFamily)).free;
}

describe('free times of an instructor whose default pool is full', () => {
  it('leave out the time at which all lanes are taken, by any instructor, until a lane is free', async () => {
    const pool = await aPool(2);
    const [one, other, third] = [1, 2, 3].map(() => teachingIn([pool], { schedule: morning }));
    await book(one!, { date: inDays(10, 10), duration_minutes: 60 });
    expect(await startsOf(third!)).toEqual(STARTS);
    await book(other!, { date: inDays(10, 10, 30), duration_minutes: 60 });
    expect(await startsOf(third!)).toEqual(['10:00', '11:00', '11:30']);
    expect(await listedStarts([one!, other!, third!])).toEqual([
      ['11:00', '11:30'],
      ['10:00', '11:30'],
      ['10:00', '11:00', '11:30'],
    ]);
  });

  it('are slots that POST /sessions takes as they are', async () => {
    const pool = await aPool(1);
    const [one, other] = [teachingIn([pool], { schedule: morning }), teachingIn([pool], { schedule: morning })];
    await book(one, { date: inDays(10, 10) });
    expect((await rejectionOf(book(other, { date: inDays(10, 10) }))).reason).toBe('pool_full');
    const query = { ...day, instructor_ids: other, limit: 1 };
    const { items } = await scheduling.harness.call(listAvailability, query, asFamily);
    expect(items[0]!.date.slice(11, 16)).toBe('10:30');
    const session = await scheduling.harness.call(
      makeSession,
      { ...items[0]!, member_id: scheduling.people.member() },
      asFamily,
    );
    expect(session.location).toEqual(inPool(pool));
  });

  it('keep no buffers clear of a full pool', async () => {
    const pool = await aPool(1);
    const schedule = aSchedule({ ...HOURS, buffer_before_minutes: 15, buffer_after_minutes: 15 });
    const [one, other] = [teachingIn([pool], { schedule: morning }), teachingIn([pool], { schedule })];
    await book(one, { date: inDays(10, 10, 30) });
    const around = ['10:00', '11:00', '11:30'];
    expect(await startsOf(other)).toEqual(around);
    expect(await listedStarts([other])).toEqual([around]);
    expect(await freeAt(inDays(10, 11), [other])).toEqual([other]);
    expect(await freeAt(inDays(10, 10, 31), [other])).toEqual([]);
  });

  it('count the first pool of the school, and only lanes that have a number', async () => {
    const [foreign, full, uncounted] = [
      await aPool(1, aPrincipal({ kind: 'school' })),
      await aPool(1),
      await aPool(null),
    ];
    const given = { schedule: morning };
    for (const pool of [full, uncounted]) await book(teachingIn([pool], given), { date: inDays(10, 10) });
    const [inFull, inUncounted] = [teachingIn([foreign, full, uncounted], given), teachingIn([uncounted, full], given)];
    expect(await startsOf(inFull)).toEqual(STARTS.slice(1));
    expect(await startsOf(inUncounted)).toEqual(STARTS);
    expect(await listedStarts([inFull, inUncounted])).toEqual([STARTS.slice(1), STARTS]);
  });

  it('are read with one query for the days of instructors and pools', async () => {
    const [counted, uncounted] = [await aPool(1), await aPool(null)];
    const ids = [counted, uncounted].flatMap((pool) => [1, 2].map(() => teachingIn([pool], { schedule: morning })));
    const days = partOf(scheduling.service, DaysRepository);
    const findTaken = jest.spyOn(days, 'findTaken');
    try {
      const date = inDays(10).slice(0, 10);
      expect(await freeAt(date, ids)).toEqual(ids);
      expect(findTaken.mock.calls.map(([dayIds]) => dayIds.toSorted())).toEqual([
        [...ids, counted, uncounted].map((id) => `${id}:${date}`).sort(),
      ]);
    } finally {
      findTaken.mockRestore();
    }
  });

  it('count a lesson that crosses midnight UTC once', async () => {
    const pool = await aPool(2);
    const schedule = aSchedule({
      weekly: aSchedule().weekly.map((each) => ({ ...each, start: '00:00', end: '24:00' })),
    });
    const [one, other] = [teachingIn([pool], { schedule }), teachingIn([pool], { schedule })];
    const lesson = { date: inDays(20, 23, 30), duration_minutes: 60 };
    await book(one, lesson);
    const around = { date_from: inDays(20, 23), date_to: inDays(21, 1), duration_minutes: 60 };
    const query = { ...around, instructor_ids: other, limit: 100 };
    const startsAround = async () =>
      (await scheduling.harness.call(listAvailability, query, asFamily)).items.map(({ date }) => date.slice(11, 16));
    const single = async () =>
      (await scheduling.harness.call(getAvailability, { instructor_id: other, ...around }, asFamily)).slots.map(
        ({ start }) => start.slice(11, 16),
      );
    expect(await startsAround()).toEqual(['23:00', '23:30', '00:00']);
    expect(await single()).toEqual(['23:00', '23:30', '00:00']);
    await book(teachingIn([pool], { schedule }), lesson);
    expect(await startsAround()).toEqual([]);
    expect(await single()).toEqual([]);
  });

  it('count in the search by available_date, on a date and from an instant on', async () => {
    const pool = await aPool(1);
    const [one, other] = [teachingIn([pool], { schedule: morning }), teachingIn([pool], { schedule: morning })];
    await book(one, { date: inDays(10, 10), duration_minutes: 90 });
    const date = inDays(10).slice(0, 10);
    expect(await freeAt(inDays(10, 11), [other])).toEqual([]);
    expect(await freeAt(inDays(10, 11, 30), [other])).toEqual([other]);
    expect(await freeAt(date, [other])).toEqual([other]);
    expect(await listedStarts([other], { available_date: inDays(10, 11) })).toEqual([[]]);
    await book(one, { date: inDays(10, 11, 30) });
    expect(await freeAt(date, [other])).toEqual([]);
  });
});
