import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AvailabilitySchedule,
  availabilitySchedule,
  findFreeInstructors,
  type InputOf,
  listInstructors,
  type ParsedOf,
  updateInstructor,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
/** The requests that scheduling got, latest last. */
let requested: ParsedOf<typeof findFreeInstructors>[] = [];
/** Ids of instructors who are not free. */
const busy = new Set<string>();
beforeAll(async () => {
  people = await startPeople();
  people.clock.set('2027-02-15T12:00:00Z');
  people.harness.serve(findFreeInstructors, (input) => {
    requested.push(input);
    return { free: input.instructors.map(({ id }) => id).filter((id) => !busy.has(id)) };
  });
  await people.harness.connection.flush();
});
afterAll(() => people?.stop());
beforeEach(() => {
  requested = [];
});

type Query = InputOf<typeof listInstructors>;
const list = (query: Query) => people.harness.call(listInstructors, query, { principal: people.family });
const names = async (query: Query) => (await list({ limit: 100, ...query })).items.map(({ name }) => name);
const at = (latitude: number, longitude: number) => ({ name: 'Area', latitude, longitude, radius_km: 100 });
const MONDAY = '2027-03-01';
const schedule = (given: Partial<AvailabilitySchedule> = {}) =>
  availabilitySchedule.parse({ weekly: [{ day: 'mon', start: '09:00', end: '12:00' }], ...given });

type Given = Parameters<PeopleHarness['anInstructor']>[0];
const teaching = (name: string, given: Given = {}) =>
  people.anInstructor({ name, availability_schedule: schedule(), ...given });

describe('searching instructors with free time', () => {
  it('leaves out those of a school that is about to be erased', async () => {
    const given = { name: 'Closing one', availability_schedule: schedule() };
    await people.anInstructor(given, { principal: people.otherSchool });
    expect(await names({ search: 'closing', available_date: MONDAY })).toEqual(['Closing one']);
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    const closing = { state: 'closing', erasesAt: new Date() };
    await accounts.updateOne({ _id: people.otherSchool.accountId }, { $set: closing });
    expect(await names({ search: 'closing', available_date: MONDAY })).toEqual([]);
    expect(await names({ search: 'closing' })).toEqual(['Closing one']);
  });

  it('sends one request to scheduling for all other matches, with the rules of that day', async () => {
    const overrides = [{ date: '2027-03-08', unavailable: true }];
    const one = await teaching('Once one', { timezone: 'Asia/Tokyo', availability_schedule: schedule({ overrides }) });
    const two = await teaching('Once two');
    await teaching('Another');
    busy.add(two.id);
    expect(await names({ search: 'once', available_date: MONDAY })).toEqual(['Once one']);
    expect(requested).toEqual([
      {
        at: MONDAY,
        durationMinutes: 30,
        instructors: [
          { id: two.id, timezone: 'Europe/Berlin', schedule: schedule() },
          { id: one.id, timezone: 'Asia/Tokyo', schedule: schedule() },
        ],
      },
    ]);
  });

  it('sends the pools of an instructor and the school', async () => {
    const pool = newId('pool');
    people.pools.add(pool);
    const { id } = await teaching('Pooled', { service_areas: [{ ...at(10, 20), pool_ids: [pool] }] });
    const query = { search: 'pooled', available_date: MONDAY };
    expect(await names(query)).toEqual(['Pooled']);
    const hours = { id, timezone: 'Europe/Berlin', schedule: schedule() };
    const withPools = { ...hours, schoolId: people.school.accountId, poolIds: [pool] };
    expect(requested.map(({ instructors }) => instructors)).toEqual([[withPools]]);
  });

  it('uses the current schedule, however often it was read before', async () => {
    const { id } = await teaching('Changing');
    const query = { search: 'changing', available_date: MONDAY };
    const sent = async () => {
      await list(query);
      return requested.at(-1)!.instructors[0]!;
    };
    expect(await sent()).toMatchObject({ id, timezone: 'Europe/Berlin', schedule: { buffer_before_minutes: 0 } });
    const changes = { availability_schedule: { buffer_before_minutes: 10 }, timezone: 'Asia/Tokyo' };
    await people.harness.call(updateInstructor, { instructor_id: id, changes }, { principal: people.school });
    expect(await sent()).toMatchObject({ id, timezone: 'Asia/Tokyo', schedule: { buffer_before_minutes: 10 } });
    const closed = { availability_schedule: { weekly: [] } };
    await people.harness.call(updateInstructor, { instructor_id: id, changes: closed }, { principal: people.school });
    expect((await list(query)).items).toEqual([]);
  });

  it('accepts an instant with any offset', async () => {
    await teaching('Instant');
    expect(await names({ search: 'instant', available_date: '2027-03-01T12:00:00+02:00' })).toEqual(['Instant']);
    expect(requested[0]!.at).toBe('2027-03-01T10:00:00.000Z');
  });

  it('omits inactive instructors and those without published hours then', async () => {
    await teaching('Idle inactive', { status: 'inactive' });
    await people.anInstructor({ name: 'Idle without hours' });
    await teaching('Idle on Tuesdays');
    expect(await names({ search: 'idle', available_date: '2027-03-02' })).toEqual([]);
    // No candidate is left to request.
    expect(requested).toEqual([]);
  });

  it('pages newest first, with the exact total of free instructors', async () => {
    const made: string[] = [];
    for (let count = 0; count < 6; count++) made.unshift((await teaching(`Pagefree ${count}`)).id);
    busy.add(made[1]!).add(made[4]!);
    const free = made.filter((id) => !busy.has(id));
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { search: 'pagefree', available_date: MONDAY, limit: 2, ...(cursor ? { cursor } : {}) };
      const { items, pagination } = await list(query);
      seen.push(...items.map(({ id }) => id));
      expect(pagination.total).toBe(4);
      expect(items[0]).not.toHaveProperty('distance_km');
      if (pagination.next_cursor === null) break;
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual(free);
    const { items } = await list({ search: 'pagefree', available_date: MONDAY, offset: 3 });
    expect(items.map(({ id }) => id)).toEqual(free.slice(3));
  });

  it('continues at its position when an instructor on the previous page is no longer free', async () => {
    const made: string[] = [];
    for (let count = 0; count < 3; count++) made.unshift((await teaching(`Goeson ${count}`)).id);
    const query = { search: 'goeson', available_date: MONDAY, limit: 1 };
    const cursor = (await list(query)).pagination.next_cursor!;
    busy.add(made[0]!);
    const { items, pagination } = await list({ ...query, cursor });
    expect(items.map(({ id }) => id)).toEqual([made[1]]);
    expect(pagination.total).toBe(2);
  });

  it('binds cursors to the requested time', async () => {
    for (let count = 0; count < 2; count++) await teaching('Boundfree');
    const query = { search: 'boundfree', available_date: MONDAY, limit: 1 };
    const cursor = (await list(query)).pagination.next_cursor!;
    const others: Query[] = [
      { ...query, cursor, available_date: '2027-03-08' },
      { ...query, cursor, available_date: '2027-03-01T10:00:00Z' },
      { search: 'boundfree', limit: 1, cursor },
    ];
    for (const other of others) expect((await rejectionOf(list(other))).reason).toBe('invalid_cursor');
  });

  it('requires a certification that is still valid on that day', async () => {
    const held = (name: string, expires_at: string | null) =>
      teaching(name, { certifications: [{ type: 'Open Water', expires_at }] });
    await held('Ends before', '2027-02-28');
    await held('Ends that day', '2027-03-01');
    await held('Never ends', null);
    const certification = 'open water';
    expect(await names({ certification })).toEqual(['Never ends', 'Ends that day', 'Ends before']);
    const holding = ['Never ends', 'Ends that day'];
    expect(await names({ certification, available_date: MONDAY })).toEqual(holding);
    expect(await names({ certification, available_date: '2027-03-01T10:00:00Z' })).toEqual(holding);
    expect(await names({ certification, available_date: '2027-03-08' })).toEqual(['Never ends']);
  });

  it('combines all four filters, nearest first', async () => {
    const given = (longitude: number, more: Given = {}) => ({
      service_areas: [at(30, longitude)],
      certifications: [{ type: 'WSI' }],
      ...more,
    });
    await teaching('Four far', given(20.3));
    await teaching('Four near', given(20.1));
    const taken = await teaching('Four taken', given(20.05));
    await teaching('Four uncertified', given(20.1, { certifications: [] }));
    await teaching('Four away', given(29));
    await teaching('Five near', given(20.1));
    busy.add(taken.id);
    const query = {
      search: 'four',
      certification: 'wsi',
      available_date: MONDAY,
      location: JSON.stringify({ latitude: 30, longitude: 20, radius: 60 }),
    };
    const { items, pagination } = await list({ ...query, limit: 1 });
    expect(items).toMatchObject([{ name: 'Four near', distance_km: 9.63 }]);
    expect(pagination.total).toBe(2);
    expect(requested[0]!.instructors).toHaveLength(3);
    const next = await list({ ...query, limit: 1, cursor: pagination.next_cursor! });
    expect(next.items.map(({ name }) => name)).toEqual(['Four far']);
    expect(next.pagination).toEqual({ has_more: false, next_cursor: null, total: 2 });
  });

  it.each([
    ['2027-02-30', 'invalid_date'],
    ['2027-03-01T10:00:00', 'offset_required'],
    ['tomorrow', 'invalid_format'],
    ['', 'invalid_format'],
  ])('rejects %j', async (available_date, reason) => {
    expect(await rejectionOf(list({ available_date }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'available_date', reason },
    });
  });
});
