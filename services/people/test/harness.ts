import {
  type BusEvent,
  type Connection,
  cancelUnconnected,
  createConnection,
  createInstructor,
  createMember,
  findLessonsOutside,
  findOwnChange,
  getPool,
  type InputOf,
  type Instructor,
  instructor,
  type Member,
  member,
  type ParsedOf,
  type Principal,
} from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import { AppError, inEnvironment, newId } from '@swim/platform';
import {
  aPrincipal,
  collectMessages,
  FakeClock,
  inDays,
  type RequestOptions,
  startHarness,
  type TestHarness,
  until,
} from '@swim/testing';
import type { mongo } from 'mongoose';
import { z } from 'zod';

/** The people service inside the test's process, on real NATS and a real database, with two schools and two families. */
/** A service as the tests of people use it. */
type Served = Pick<RunningService, 'app' | 'stop'>;

export interface PeopleHarness {
  harness: TestHarness;
  clock: FakeClock;
  service: Served;
  school: Principal;
  otherSchool: Principal;
  family: Principal;
  otherFamily: Principal;
  /** Pools that the fake scheduling knows. */
  pools: Set<string>;
  /** The connections whose void lessons the fake scheduling was to cancel, in order. */
  unconnected: ParsedOf<typeof cancelUnconnected>[];
  /** Lessons of each instructor that scheduling reports outside the hours. */
  outside: Map<string, string[]>;
  /** When accounts have last changed a booking, as the fake booking answers. */
  ownChanges: Map<string, string>;
  /** Stops the fake scheduling, as when no replica of it runs. */
  stopScheduling(): void;
  /** Every event that the service published, in the order of arrival. */
  events: BusEvent[];
  anInstructor(overrides?: Partial<InputOf<typeof createInstructor>>, options?: RequestOptions): Promise<Instructor>;
  aMember(overrides?: Partial<InputOf<typeof createMember>>, options?: RequestOptions): Promise<Member>;
  /** Waits for the nth event of an object and returns it. */
  eventOf(objectId: string, n: number): Promise<BusEvent>;
  /** Connects a member with a school, as its account does. */
  connect(memberId: string, school: Principal, family: Principal): Promise<Connection>;
  stop(): Promise<void>;
}

let made = 0;

/** A well-formed request for an instructor with a unique e-mail. */
export const instructorInput = (
  overrides: Partial<InputOf<typeof createInstructor>> = {},
): InputOf<typeof createInstructor> => ({
  name: `Coach ${++made}`,
  email: `coach-${made}@example.test`,
  hourly_rate_cents: 6000,
  ...overrides,
});

/** Fails when a response lacks a field of the contract, has another type, or has an extra field. */
export const expectInstructor = (answer: Instructor): Instructor =>
  z.strictObject(instructor.shape).parse(answer) as Instructor;
export const expectMember = (answer: Member): Member => z.strictObject(member.shape).parse(answer);

/** A fake of scheduling, which owns the pools and the sessions. */
function serveScheduling(
  harness: TestHarness,
): Pick<PeopleHarness, 'pools' | 'unconnected' | 'outside' | 'stopScheduling'> {
  const pools = new Set<string>();
  const unconnected: PeopleHarness['unconnected'] = [];
  const stopEnds = harness.serve(cancelUnconnected, (end) => {
    unconnected.push(end);
    return { done: true };
  });
  const outside: PeopleHarness['outside'] = new Map();
  const stopOutside = harness.serve(findLessonsOutside, ({ instructorId }) => {
    const lessonIds = outside.get(instructorId) ?? [];
    return { count: lessonIds.length, lessonIds };
  });
  const stopPools = harness.serve(getPool, ({ pool_id: id }) => {
    if (!pools.has(id)) throw new AppError('resource_not_found');
    return {
      id,
      account_id: newId('acct'),
      name: 'Bath',
      address: 'Water St',
      latitude: 0,
      longitude: 0,
      timezone: 'UTC',
      lanes: null,
      metadata: {},
      created_at: inDays(0),
      updated_at: inDays(0),
    };
  });
  const stopScheduling = () => {
    stopEnds();
    stopPools();
    stopOutside();
  };
  return { pools, unconnected, outside, stopScheduling };
}

/** Opens the account of each principal. */
export async function openAccounts(service: Served, principals: Principal[]): Promise<void> {
  const { AccountsService } = await import('../src/identity/accounts/accounts.service.js');
  const accounts = service.app.get(AccountsService, { strict: false });
  for (const { env, accountId: id, kind } of principals) {
    const email = 'office@example.test';
    const account = { id, kind, name: `The ${kind}`, email, timezone: 'Europe/Berlin', currency: 'EUR' };
    await inEnvironment(env, () => accounts.open(account));
  }
}

async function serveInProcess(_parts: TestHarness, clock: FakeClock): Promise<Served> {
  const { config } = await import('../src/config.js');
  const { AppModule } = await import('../src/app.module.js');
  return startService('people', AppModule, config, clock);
}

/** Starts the engines, the fake scheduling, and people, within this process unless `serve` starts it otherwise. */
export async function startPeople(serve = serveInProcess): Promise<PeopleHarness> {
  const harness = await startHarness();
  const scheduling = serveScheduling(harness);
  const ownChanges = new Map<string, string>();
  harness.serve(findOwnChange, ({ accountId }) => ({ changedAt: ownChanges.get(accountId) ?? null }));
  const events = await collectMessages<BusEvent>(harness.connection, 'event.*.people.>');
  const clock = new FakeClock();
  const service = await serve(harness, clock);
  const [school, otherSchool] = [aPrincipal({ kind: 'school' }), aPrincipal({ kind: 'school' })];
  const [family, otherFamily] = [aPrincipal(), aPrincipal()];
  await openAccounts(service, [school, otherSchool, family, otherFamily]);
  return {
    harness,
    clock,
    service,
    school,
    otherSchool,
    family,
    otherFamily,
    ...scheduling,
    ownChanges,
    events,
    anInstructor: (overrides, options = { principal: school }) =>
      harness.call(createInstructor, instructorInput(overrides), options),
    aMember: (overrides, options = { principal: family }) =>
      harness.call(
        createMember,
        { account_id: family.accountId, name: `Kid ${++made}`, date_of_birth: '2017-05-04', ...overrides },
        options,
      ),
    eventOf: (objectId, n) =>
      until(() => events.find((event) => event.objectId === objectId && event.n === n), `event ${n} of ${objectId}`),
    connect: (memberId, of, principal) =>
      harness.call(createConnection, { school_id: of.accountId, member_ids: [memberId] }, { principal }),
    async stop() {
      await service.stop();
      await harness.stop();
    },
  };
}

/** Changes a document right before each write of it, so that every write misses. */
export async function withRival<T>(
  repository: object,
  collection: mongo.Collection<{ _id: string }>,
  work: () => Promise<T>,
  method = 'commit',
): Promise<T> {
  type Store = (now: { _id: string }, ...rest: unknown[]) => Promise<unknown>;
  const target = repository as Record<string, Store>;
  const store = target[method]!;
  target[method] = async function rivalled(now, ...rest) {
    await collection.updateOne({ _id: now._id }, { $inc: { rev: 1 } });
    return store.call(this, now, ...rest);
  };
  try {
    return await work();
  } finally {
    target[method] = store;
  }
}
