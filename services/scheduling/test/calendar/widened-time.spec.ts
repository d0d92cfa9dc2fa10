import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type InstructorObject, instructorUpdated, makeSession, updatePool } from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { aSchedule, inDays, publishEvent, until } from '@swim/testing';
import { aSession, asFamily, type SchedulingHarness, school, startScheduling } from '../harness.js';
import { aPlace, lineOf } from '../holds/waitlist-client.js';

let scheduling: SchedulingHarness;
let replica: RunningService;
beforeAll(async () => {
  scheduling = await startScheduling();
  const { config } = await import('../../src/config.js');
  const { AppModule } = await import('../../src/app.module.js');
  replica = await startService('scheduling', AppModule, { ...config, HEALTH_PORT: 0 }, scheduling.clock);
});
afterAll(async () => {
  await replica?.stop();
  await scheduling?.stop();
});

const asSchool = { principal: school };
const NO_HOURS = aSchedule({ weekly: [], overrides: [{ date: '2020-01-01', unavailable: true }] });
const BATHS = { name: 'Baths', address: 'Uferweg 1', latitude: 52.5, longitude: 13.4, timezone: 'UTC' };

const { join, read, reaches } = lineOf(() => scheduling.harness);
const enter = (instructor: string, overrides: object = {}) =>
  join(aPlace(scheduling.people, instructor, { date_from: inDays(10), date_to: inDays(10, 10, 30), ...overrides }));

let ordinal = 0;
/** Changes an instructor as people does, and publishes it. */
async function change(id: string, changed: object, previous: object, audience = [school.accountId]): Promise<void> {
  const now = { ...scheduling.people.instructors.get(id)!, ...changed };
  scheduling.people.instructors.set(id, now);
  const object = { id, status: now.status } as InstructorObject;
  ordinal += 1;
  await publishEvent(scheduling.harness, instructorUpdated, {
    object,
    audience,
    n: ordinal,
    previous: { ...previous },
  });
}
const holdsOf = (instructorId: string) =>
  scheduling.harness.database('scheduling_test').collection('holds').countDocuments({ instructorId, status: 'active' });

describe('time that becomes free without being released', () => {
  it('by new hours is offered to the first in line, once, with two replicas, and to none for another field', async () => {
    const instructor = scheduling.people.instructor({ schedule: NO_HOURS });
    const [first, second] = [await enter(instructor), await enter(instructor)];
    await change(instructor, { schedule: aSchedule() }, { levels_taught: [] });
    await change(instructor, {}, { availability_schedule: NO_HOURS });
    await change(instructor, {}, { availability_schedule: NO_HOURS });
    const { offer } = await reaches(first, 'offered');
    expect(offer).toMatchObject({ date: inDays(10), end_date: inDays(10, 10, 30) });
    const last = await enter(instructor, { date_from: inDays(11), date_to: inDays(11, 10, 30) });
    await change(instructor, {}, { timezone: 'Asia/Tokyo' });
    await reaches(last, 'offered');
    expect(await read(second.id)).toMatchObject({ status: 'waiting' });
    expect(await holdsOf(instructor)).toBe(2);
  });

  it('since the instructor is active again is offered, and not while he is inactive', async () => {
    const instructor = scheduling.people.instructor();
    const entry = await enter(instructor);
    await change(instructor, { status: 'inactive' }, { status: 'active' });
    await change(instructor, { status: 'inactive' }, { timezone: 'Asia/Tokyo' });
    expect(await read(entry.id)).toMatchObject({ status: 'waiting' });
    await change(instructor, { status: 'active' }, { status: 'inactive' });
    await reaches(entry, 'offered');
  });

  it('is offered once people answers again', async () => {
    const instructor = scheduling.people.instructor({ schedule: NO_HOURS });
    const entry = await enter(instructor);
    const describe = scheduling.people.describe.bind(scheduling.people);
    let failures = 0;
    scheduling.people.describe = () => {
      failures += 1;
      throw new Error('people is away');
    };
    try {
      await change(instructor, { schedule: aSchedule() }, { availability_schedule: NO_HOURS });
      await until(() => failures > 0, 'people was asked');
    } finally {
      scheduling.people.describe = describe;
    }
    await reaches(entry, 'offered');
  });

  it('by more lanes of the pool is offered to as many as there are lanes, and not by fewer', async () => {
    const { harness, people } = scheduling;
    const pool_id = (await harness.call(createPool, { ...BATHS, lanes: 2 }, asSchool)).id;
    const inPool = () => people.instructor({ defaultPoolId: pool_id, poolIds: [pool_id] });
    await harness.call(makeSession, aSession(inPool(), people.member(), { date: inDays(10) }), asFamily);
    await harness.call(makeSession, aSession(inPool(), people.member(), { date: inDays(10) }), asFamily);
    const [first, second] = [await enter(inPool()), await enter(inPool())];
    const setLanes = (lanes: number | null) => harness.call(updatePool, { pool_id, changes: { lanes } }, asSchool);
    await setLanes(1);
    await setLanes(3);
    await reaches(first, 'offered');
    const pools = harness.database('scheduling_test').collection<{ _id: string; widenedAt?: Date }>('pools');
    await until(async () => !(await pools.findOne({ _id: pool_id }))!.widenedAt, 'all are offered');
    expect(await read(second.id)).toMatchObject({ status: 'waiting' });
    await setLanes(null);
    await reaches(second, 'offered');
  });
});
