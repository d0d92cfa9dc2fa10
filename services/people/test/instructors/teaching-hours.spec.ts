import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AvailabilitySchedule,
  availabilitySchedule,
  findTeachingHours,
  type InputOf,
  MOST_MATCHES,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { rejectionOf } from '@swim/testing';
import { type PeopleHarness, startPeople } from '../harness.js';

let people: PeopleHarness;
beforeAll(async () => {
  people = await startPeople();
  people.clock.set('2027-02-15T12:00:00Z');
});
afterAll(() => people?.stop());

const MONDAY = '2027-03-01';
const schedule = (given: Partial<AvailabilitySchedule> = {}) =>
  availabilitySchedule.parse({ weekly: [{ day: 'mon', start: '09:00', end: '12:00' }], ...given });
type Given = NonNullable<Parameters<PeopleHarness['anInstructor']>[0]>;
const teaching = (given: Given = {}, principal = people.school) =>
  people.anInstructor({ availability_schedule: schedule(), ...given }, { principal });
const find = (query: Partial<InputOf<typeof findTeachingHours>>) =>
  people.harness.call(findTeachingHours, { heldOn: MONDAY, dates: [MONDAY], ...query }, { principal: people.family });
const foundBy = async (query: Partial<InputOf<typeof findTeachingHours>>) =>
  (await find(query)).instructors.map(({ id }) => id);

describe('teaching hours for scheduling', () => {
  it('are the rules for the requested dates, of active instructors that have any', async () => {
    const overrides = [{ date: '2027-03-08', unavailable: true }];
    const own = await teaching({
      name: 'Hours own',
      timezone: 'Asia/Tokyo',
      availability_schedule: schedule({ overrides }),
    });
    const others = await teaching({ name: 'Hours other' }, people.otherSchool);
    await teaching({ name: 'Hours inactive', status: 'inactive' });
    await people.anInstructor({ name: 'Hours none' });
    expect(await find({ search: 'hours' })).toEqual({
      instructors: [
        { id: own.id, timezone: 'Asia/Tokyo', schedule: schedule() },
        { id: others.id, timezone: 'Europe/Berlin', schedule: schedule() },
      ],
      next: null,
    });
    expect(await foundBy({ search: 'hours', dates: ['2027-03-02'] })).toEqual([]);
    expect(await foundBy({ search: 'hours', accountIds: [people.otherSchool.accountId] })).toEqual([others.id]);
  });

  it('leave out an instructor whose stored zone is none', async () => {
    const [good, bad] = [await teaching({ name: 'Zoned good' }), await teaching({ name: 'Zoned bad' })];
    const stored = people.harness.database('people_test').collection<{ _id: string }>('instructors');
    await stored.updateOne({ _id: bad.id }, { $set: { timezone: 'IST' } });
    expect(await foundBy({ search: 'zoned' })).toEqual([good.id]);
  });

  it('contain the pools of an instructor in their order, and the school', async () => {
    const poolIds = [newId('pool'), newId('pool')];
    for (const pool of poolIds) people.pools.add(pool);
    const area = { name: 'Area', latitude: 10, longitude: 20, radius_km: 5, pool_ids: poolIds };
    const { id } = await teaching({ name: 'Pools', service_areas: [area, { ...area, name: 'Again' }] });
    expect((await find({ instructorIds: [id] })).instructors).toEqual([
      { id, timezone: 'Europe/Berlin', schedule: schedule(), schoolId: people.school.accountId, poolIds },
    ]);
  });

  it('combine ids, name, certification and place', async () => {
    const near = { name: 'Area', latitude: 10, longitude: 20, radius_km: 5 };
    const certified = { certifications: [{ type: 'WSI', expires_at: '2027-03-01' }], service_areas: [near] };
    const [one, two] = [
      await teaching({ name: 'Both one', ...certified }),
      await teaching({ name: 'Both two', ...certified }),
    ];
    const place = { latitude: 10, longitude: 20, radius: 5 };
    const all = { search: 'both', certification: 'wsi', place };
    expect(await foundBy(all)).toEqual([one.id, two.id]);
    expect(await foundBy({ ...all, instructorIds: [two.id] })).toEqual([two.id]);
    expect(await foundBy({ ...all, heldOn: '2027-03-02' })).toEqual([]);
    expect(await foundBy({ ...all, place: { ...place, latitude: 11 } })).toEqual([]);
  });

  it('have none after the last day of the certification that was asked for', async () => {
    const certifications = [
      { type: 'WSI', expires_at: '2027-03-01' },
      { type: 'wsi', expires_at: '2027-03-08' },
      { type: 'Lifeguard' },
    ];
    const { id } = await teaching({ name: 'Ends soon', certifications });
    const dates = [MONDAY, '2027-03-08', '2027-03-09', '2027-03-15'];
    const scheduleFor = async (certification?: string) =>
      (await find({ instructorIds: [id], dates, certification })).instructors[0]!.schedule;
    const overrides = ['2027-03-09', '2027-03-15'].map((date) => ({ date, unavailable: true }));
    expect(await scheduleFor('WSI')).toEqual(schedule({ overrides }));
    expect(await scheduleFor('lifeguard')).toEqual(schedule());
    expect(await scheduleFor()).toEqual(schedule());
  });

  it('of an instructor that does not exist are not found', async () => {
    const { id } = await teaching();
    const missing = newId('ins');
    expect(await rejectionOf(find({ instructorIds: [id, missing] }))).toMatchObject({
      message: expect.stringContaining(missing) as unknown,
      details: { field: 'instructor_ids', reason: 'not_found' },
    });
  });

  it('leave out the instructors of a school that is about to be erased', async () => {
    const { id } = await teaching({ name: 'Closing one' }, people.otherSchool);
    expect(await foundBy({ instructorIds: [id] })).toEqual([id]);
    const accounts = people.harness.database('people_test').collection<{ _id: string }>('accounts');
    const closing = { state: 'closing', erasesAt: new Date() };
    await accounts.updateOne({ _id: people.otherSchool.accountId }, { $set: closing });
    expect(await foundBy({ search: 'closing' })).toEqual([]);
  });

  it('come in several answers, and are not searched when too many match', async () => {
    const { id } = await teaching({ name: 'Many' });
    const stored = people.harness.database('people_test').collection<{ _id: string }>('instructors');
    const original = (await stored.findOne({ _id: id }))!;
    const copies = (count: number) =>
      Array.from({ length: count }, () => {
        const copyId = newId('ins');
        return { ...original, _id: copyId, emailKey: copyId };
      });
    await stored.insertMany(copies(MOST_MATCHES - 1));
    const seen: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { instructors, next } = await find({ search: 'many', after });
      seen.push(...instructors.map((one) => one.id));
      after = next;
    }
    expect(new Set(seen).size).toBe(MOST_MATCHES);
    expect(seen).toHaveLength(MOST_MATCHES);
    await stored.insertMany(copies(1));
    expect(await rejectionOf(find({ search: 'many' }))).toMatchObject({
      details: { field: 'search', reason: 'too_many_matches', maximum: MOST_MATCHES },
    });
  });
});
