import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type BusEvent,
  createClass,
  createEnrollment,
  type Enrollment,
  endEnrollment,
  getClass,
  getEnrollment,
  type InputOf,
  listEnrollments,
  type Operation,
  openClass,
} from '@swim/contracts';
import { newId } from '@swim/platform';
import { aPrincipal, CrashableService, inDays, startHarness, type TestHarness, until } from '@swim/testing';
import { FakePeople } from '../fake-people.js';
import { EventRecorder } from '../harness.js';
import { dateIn } from '../making/enrolling.js';
import { recoveryOf } from './crash-recovery.js';

const LESSONS = 3;
const CAPACITY = 6;

const [school, family] = [aPrincipal({ kind: 'school' }), aPrincipal()];
let harness: TestHarness;
let people: FakePeople;
let recorder: EventRecorder;
let services: Record<'booking' | 'scheduling', CrashableService>;

jest.setTimeout(420_000);
beforeAll(async () => {
  harness = await startHarness();
  // Longer than any case: only `lapse` ends the leases of a crashed instance.
  Object.assign(harness.env, { SAGA_LEASE_MS: '30000', IDEMPOTENCY_LEASE_MS: '60000', CLAIM_LEASE_MS: '60000' });
  people = new FakePeople(harness);
  recorder = new EventRecorder(harness);
  await harness.connection.flush();
  // The built service: the two services share messages only.
  const built = (file: string) => import(new URL(`../../../scheduling/dist/${file}`, import.meta.url).href);
  const scheduling = await CrashableService.start(harness, {
    service: 'scheduling',
    load: async () => ({
      module: (await built('app.module.js')).AppModule,
      config: (await built('config.js')).config,
    }),
    lapse,
  });
  const booking = await CrashableService.start(harness, {
    service: 'booking',
    load: async () => ({
      module: (await import('../../src/app.module.js')).AppModule,
      config: (await import('../../src/config.js')).config,
    }),
    lapse,
  });
  services = { booking, scheduling };
});
afterAll(async () => {
  await services?.booking.stop();
  await services?.scheduling.stop();
  await harness?.stop();
});

const { isIdle, lapse } = recoveryOf(() => harness);
const keyed = () => ({ principal: family, idempotencyKey: newId('req') });
const insist = <O extends Operation>(operation: O, input: InputOf<O>, options: object) =>
  harness.insist(operation, input, { budgetMs: 2_000, ...options });
const sessionsOf = (member_id: string) =>
  harness
    .database('scheduling_test')
    .collection<{ _id: string; status: string }>('sessions')
    .find({ memberId: member_id })
    .sort({ start: 1 })
    .toArray();
const typesOf = async (count: number, id: string) =>
  (await recorder.atLeast(count, id)).map(({ type }: BusEvent) => type).filter((type) => type.startsWith('enrollment'));

/** An open class of daily lessons, and a member of the family. */
async function aClass(): Promise<InputOf<typeof createEnrollment>> {
  const recurrence = {
    ...{ start_local: inDays(5).slice(0, 16), timezone: 'UTC', count: LESSONS },
    weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
  };
  const fields = {
    ...{ name: 'Frogs', instructor_id: people.anInstructor(school.accountId), recurrence },
    ...{ duration_minutes: 30, capacity: CAPACITY, price_cents: 1_500 },
  };
  const { id: class_id } = await insist(createClass, fields as never, { principal: school });
  await insist(openClass, { class_id, outside_hours: true }, { principal: school });
  return { class_id, member_id: people.aMember(family.accountId) };
}

async function expectEnrolled({ class_id, member_id }: InputOf<typeof createEnrollment>, made: Enrollment) {
  const { items } = await harness.call(listEnrollments, { class_id, member_id }, { principal: family });
  expect(items).toEqual([made]);
  expect(made).toMatchObject({ status: 'active', starts_on: dateIn(5), ends_on: null, skipped: [] });
  const sessions = await sessionsOf(member_id);
  expect(sessions.map(({ status }) => status)).toEqual(Array(LESSONS).fill('scheduled'));
  const placesLeft = async () => (await harness.call(getClass, { class_id }, { principal: family })).places_left;
  // Those of an attempt that the crash has ended are counted until they are released.
  await until(async () => (await placesLeft()) === CAPACITY - 1, 'it has all of its places, and no others');
  expect(await typesOf(1, made.id)).toEqual(['enrollment.created']);
}

describe.each(['booking', 'scheduling'] as const)('%s crashes after any single write', (name) => {
  it('of an enrollment: the same key makes one, with all of its places', async () => {
    const writes = await services[name].everywhere(async (n) => {
      const [input, options] = [await aClass(), keyed()];
      const work = () => harness.call(createEnrollment, input, options);
      const crashed = await services[name].crashDuring(n, work, isIdle(name));
      await expectEnrolled(input, await insist(createEnrollment, input, options));
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });

  it('of the end of an enrollment: its sessions after the date are cancelled, and their places are free', async () => {
    const writes = await services[name].everywhere(async (n) => {
      const [input, options] = [await aClass(), keyed()];
      const { id: enrollment_id } = await insist(createEnrollment, input, keyed());
      const ending = { enrollment_id, ends_on: dateIn(5) };
      const work = () => harness.call(endEnrollment, ending, options);
      const crashed = await services[name].crashDuring(n, work, isIdle(name));
      const ended = await insist(endEnrollment, ending, options);
      expect(ended).toMatchObject({ status: 'active', ends_on: dateIn(5) });
      expect(await harness.call(getEnrollment, { enrollment_id }, { principal: family })).toMatchObject({
        ends_on: dateIn(5),
      });
      const statuses = async () => (await sessionsOf(input.member_id)).map(({ status }) => status).join();
      await until(
        async () => (await statuses()) === 'scheduled,cancelled,cancelled',
        'the later sessions are cancelled',
      );
      const lessons = harness.database('scheduling_test').collection<{ busy: unknown[] }>('lessons');
      const taken = async () => {
        const all = await lessons.find({ classId: input.class_id }).sort({ start: 1 }).toArray();
        return all.map(({ busy }) => busy.length).join();
      };
      await until(async () => (await taken()) === '1,0,0', 'their places are free');
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(4);
  });
});
