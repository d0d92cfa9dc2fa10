import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AvailableSlot,
  createPool,
  getAvailability,
  type InputOf,
  listAvailability,
  makeSession,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aSchedule, inDays, rejectionOf } from '@swim/testing';
import fc from 'fast-check';
import { aSession, asFamily, EVERYONE, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { type Sample, sample } from './availability.samples.js';

let scheduling: SchedulingHarness;
beforeAll(async () => {
  scheduling = await startScheduling();
});
afterAll(() => scheduling?.stop());

const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC', lanes: 1 };
type Query = InputOf<typeof listAvailability>;
const list = (query: Query, options = asFamily) => scheduling.harness.call(listAvailability, query, options);
/** A day with slots at 10:00, 10:30, 11:00 and 11:30 UTC. */
const aMorning = (slot_interval_minutes = 30) =>
  aSchedule({
    weekly: aSchedule().weekly.map(({ day }) => ({ day, start: '10:00', end: '12:00' })),
    slot_interval_minutes,
  });
const teaching = (schedule = aMorning()) => scheduling.people.instructor({ schedule });
const onDay = (days: number) => ({ date_from: inDays(days, 0), date_to: inDays(days + 1, 0) });
const book = (instructorId: string, date: string) =>
  scheduling.harness.call(makeSession, aSession(instructorId, scheduling.people.member(), { date }), asFamily);

/** The slots of each instructor alone, in the order of the list. */
async function slotsOneByOne(ids: readonly string[], query: Query): Promise<AvailableSlot[]> {
  const { date_from, date_to, timezone, duration_minutes } = query;
  const each = ids.map(async (instructor_id) => {
    const single = { instructor_id, date_from, date_to, timezone, duration_minutes };
    const { slots } = await scheduling.harness.call(getAvailability, single, asFamily);
    return slots.map(({ date, end, duration_minutes: minutes }) => ({
      instructor_id,
      date,
      end_date: end,
      duration_minutes: minutes,
    }));
  });
  const order = ({ date, instructor_id }: AvailableSlot) => `${new Date(date).toISOString()} ${instructor_id}`;
  return (await Promise.all(each)).flat().sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

describe('availability of many instructors', () => {
  it('lists the same slots as the availability of each alone, for any schedules, zones, pools and bookings', async () => {
    const groups = fc.array(sample, { minLength: 1, maxLength: 6 });
    const queries = fc.record({
      timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'),
      duration_minutes: fc.constantFrom(15, 45, 120),
      days: fc.integer({ min: 1, max: 9 }),
    });
    let booked = 0;
    const sameSlots = async (
      group: Sample[],
      { days, ...query }: { days: number; timezone: string; duration_minutes: number },
    ) => {
      // Some share a pool, and so a lesson of one takes the time of others.
      const poolIds = [(await scheduling.harness.call(createPool, BATHS)).id];
      const ids = group.map(({ schedule, timezone }, index) =>
        scheduling.people.instructor({
          schedule,
          timezone,
          ...(index % 3 === 0 ? {} : { poolIds, defaultPoolId: poolIds[0]! }),
        }),
      );
      scheduling.clock.set(new Date(group[0]!.nowUtc));
      const fromMs = group[0]!.fromUtc;
      const range = [fromMs, fromMs + days * 86_400_000].map((at) => new Date(at).toISOString());
      const requested = { ...query, date_from: range[0]!, date_to: range[1]!, instructor_ids: ids.join(',') };
      const free = await slotsOneByOne(ids, requested);
      // Some of it is booked, so that taken time counts too.
      for (const { instructor_id, date } of free.filter((_, index) => index % 9 === 0).slice(0, 3))
        await book(instructor_id, date).then(
          () => (booked += 1),
          () => undefined,
        );
      const expected = await slotsOneByOne(ids, requested);
      const { items, pagination } = await list({ ...requested, limit: 100 });
      expect(items).toEqual(expected.slice(0, 100));
      expect(pagination.total).toBe(expected.length);
    };
    await fc.assert(fc.asyncProperty(groups, queries, sameSlots), { numRuns: 25 });
    scheduling.clock.set(new Date());
    expect(booked).toBeGreaterThan(5);
  });

  it('lists the soonest first, with the offsets of the requested zone, and pages by cursor and offset', async () => {
    const ids = [teaching(), teaching(aMorning(60)), teaching()].sort();
    const query = { ...onDay(10), instructor_ids: ids.join(','), timezone: 'Asia/Kathmandu' };
    const all = (await list({ ...query, limit: 100 })).items;
    expect(all[0]).toEqual({
      instructor_id: ids[0],
      date: `${inDays(10).slice(0, 10)}T15:45:00+05:45`,
      end_date: `${inDays(10).slice(0, 10)}T16:15:00+05:45`,
      duration_minutes: 30,
    });
    expect(all).toEqual(await slotsOneByOne(ids, query));
    const seen: AvailableSlot[] = [];
    for (let cursor: string | undefined; ; ) {
      const { items, pagination } = await list({ ...query, limit: 3, ...(cursor ? { cursor } : {}) });
      expect(pagination.total).toBe(all.length);
      seen.push(...items);
      if (pagination.next_cursor === null) break;
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual(all);
    expect((await list({ ...query, offset: 4, limit: 2 })).items).toEqual(all.slice(4, 6));
  });

  it('with account_id lists those of these schools', async () => {
    const schoolId = newId('acct');
    const [own, other] = [scheduling.people.instructor({ schedule: aMorning(), schoolId }), teaching()];
    const query = { ...onDay(11), first_only: 'true', account_id: schoolId } as const;
    const found = async (more: Query) =>
      (await list({ ...query, ...more })).items.map(({ instructor_id }) => instructor_id);
    expect(await found({})).toEqual([own]);
    expect(await found({ instructor_ids: `${own},${other}` })).toEqual([own]);
  });

  it('with first_only lists the first slot of each instructor', async () => {
    const [free, booked] = [teaching(), teaching()];
    await book(booked, inDays(11));
    const { items, pagination } = await list({ ...onDay(11), instructor_ids: `${booked},${free}`, first_only: 'true' });
    expect(items.map(({ instructor_id, date }) => [instructor_id, date.slice(11, 16)])).toEqual([
      [free, '10:00'],
      [booked, '10:30'],
    ]);
    expect(pagination).toEqual({ has_more: false, next_cursor: null, total: 2 });
  });

  it('lists slots that POST /sessions takes as they are, and rejects another end', async () => {
    const instructor = teaching();
    const { items } = await list({ ...onDay(12), instructor_ids: instructor, timezone: 'Europe/Berlin' });
    const body = { ...items[1]!, member_id: scheduling.people.member() };
    const other = { ...body, end_date: items[2]!.end_date };
    expect(await rejectionOf(scheduling.harness.call(makeSession, other, asFamily))).toMatchObject({
      details: { field: 'end_date', reason: 'invalid_value' },
    });
    const session = await scheduling.harness.call(makeSession, body, asFamily);
    expect(session).toMatchObject({
      date: new Date(body.date).toISOString(),
      end_date: new Date(body.end_date).toISOString(),
    });
  });

  it('with available_date lists only instructors that are free then, in the requested range', async () => {
    const [free, booked] = [teaching(), teaching()];
    await book(booked, inDays(13, 11));
    const instructor_ids = `${free},${booked}`;
    const { items } = await list({ ...onDay(14), instructor_ids, available_date: inDays(13, 11), limit: 100 });
    expect(new Set(items.map(({ instructor_id }) => instructor_id))).toEqual(new Set([free]));
    expect(items).toHaveLength(4);
    const both = await list({ ...onDay(14), instructor_ids, available_date: inDays(13).slice(0, 10), limit: 100 });
    expect(both.items).toHaveLength(8);
  });

  it('rejects an instructor that does not exist, more than 50, a bad range, and a cursor of another search', async () => {
    const instructor_ids = [1, 2].map(() => teaching()).join(',');
    const rejected = async (query: Query) => (await rejectionOf(list(query))).details;
    const missing = `${instructor_ids},${newId('ins')}`;
    expect(await rejected({ instructor_ids: missing })).toMatchObject({ field: 'instructor_ids', reason: 'not_found' });
    const many = Array.from({ length: 51 }, () => newId('ins')).join(',');
    expect(await rejected({ instructor_ids: many })).toMatchObject({ field: 'instructor_ids', reason: 'too_long' });
    const range = (from: string, to: string) => rejected({ instructor_ids, date_from: from, date_to: to });
    expect(await range(inDays(3), inDays(2))).toMatchObject({ field: 'date_to', reason: 'range_reversed' });
    expect(await range('2027-03-02', '2027-03-01')).toMatchObject({ field: 'date_to', reason: 'range_reversed' });
    expect(await range(inDays(3), inDays(36))).toMatchObject({ field: 'date_to', reason: 'range_too_long' });
    const cursor = (await list({ ...onDay(15), instructor_ids, limit: 1 })).pagination.next_cursor!;
    const invalid = { field: 'cursor', reason: 'invalid_cursor' };
    expect(await rejected({ ...onDay(15), instructor_ids, cursor, duration_minutes: 60 })).toMatchObject(invalid);
    const other = list({ ...onDay(15), instructor_ids, cursor }, { principal: school });
    expect((await rejectionOf(other)).details).toMatchObject(invalid);
  });

  it('passes on that too many instructors match', async () => {
    expect((await rejectionOf(list({ search: EVERYONE }))).details).toMatchObject({
      reason: 'too_many_matches',
      field: 'search',
      maximum: 1_000,
    });
  });
});
