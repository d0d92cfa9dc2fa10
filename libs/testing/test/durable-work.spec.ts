import { afterAll, beforeAll, beforeEach, describe, expect, jest, it as jestIt } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { ErrorBody } from '@swim/contracts';
import { type RunningService, startService } from '@swim/messaging';
import {
  Abandoned,
  asSystem,
  Databases,
  indexDue,
  MongoModule,
  Repository,
  Saga,
  type Step,
  WhenDue,
  type Work,
  type WorkOf,
} from '@swim/mongo';
import { AppError, inEnvironment, sharedClock } from '@swim/platform';
import { Schema } from 'mongoose';
import { everyWrite } from '../src/faults/crash-points.js';
import { HeldWrites } from '../src/faults/held-writes.js';
import { CrashableService } from '../src/services/crashable-service.js';
import { startHarness, type TestHarness } from '../src/services/harness.js';
import { updateAll } from '../src/storage/update-all.js';
import { until } from '../src/waiting/until.js';

const it = (title: string, work: () => Promise<void>) => jestIt(title, () => inEnvironment('test', work));

const LEASE_MS = 60_000;
const PAST = new Date(1);
const TESTING = asSystem('test', 'a test');
const WORK: WorkOf<Job> = {
  name: 'jobs',
  due: 'dueAt',
  reason: 'a test',
  leaseMs: LEASE_MS,
  counts: ['tries'],
  atOnce: 4,
};

interface Job {
  _id: string;
  kind: string;
  dueAt?: Date | null;
  tries: number;
  step: string | null;
  abandoned?: ErrorBody | undefined;
  /** What the saga has done and not undone, in order. */
  done: string[];
}

const schema = new Schema<Job>(
  { _id: String, kind: String, dueAt: Date, tries: Number, step: String, abandoned: Object, done: [String] },
  { versionKey: false, minimize: false },
);
indexDue(schema, 'dueAt');

@Injectable()
class Jobs extends Repository<Job> {
  readonly due = this.work(WORK);
  /** The same work by a clock that is so far off. */
  readonly offBy = (ms: number): Work<Job> => this.work({ ...WORK, now: () => sharedClock.inMs(ms) });

  constructor(databases: Databases) {
    super(databases.collection('jobs', schema));
  }

  override lookUp = super.lookUp;

  /** An effect beside the job, as another service would store it. */
  async do({ _id }: Job, effect: string): Promise<void> {
    await this.update(TESTING, { _id, done: { $ne: effect } }, { $push: { done: effect } });
  }

  async undo({ _id }: Job, effect: string): Promise<void> {
    await this.update(TESTING, { _id, done: effect }, { $pull: { done: effect } });
  }
}

/** What replicas of this process have handled, and how they handle it. */
const handled: string[] = [];
let failsFor: (job: Job) => boolean = () => false;

@Injectable()
class Handler {
  private readonly saga: Saga<Job>;

  constructor(readonly jobs: Jobs) {
    const step = (name: string): Step<Job> => ({
      name,
      run: async (job) => {
        if (name === 'third' && job.kind === 'rejected') throw new Abandoned(new AppError('invalid_state'));
        const isRepeated = job.done.includes(name);
        await jobs.do(job, name);
        // The second step needs two runs.
        return name !== 'second' || isRepeated;
      },
      undo: (job) => jobs.undo(job, name),
    });
    this.saga = new Saga(jobs.due, ['first', 'second', 'third', 'fourth'].map(step), { againMs: 1 });
  }

  @WhenDue(({ jobs }: Handler) => jobs.due)
  async handle(job: Job): Promise<void> {
    if (job.kind === 'held') return;
    handled.push(job._id);
    if (failsFor(job)) throw new Error('The job failed.');
    if (job.kind === 'single') await this.jobs.due.end(job);
    else await this.saga.goOn(job);
  }
}

const configOf = (env: NodeJS.ProcessEnv | Record<string, string>, uri = env.MONGODB_URI!) => ({
  MONGODB_URI: uri,
  DATABASE_PREFIX: env.DATABASE_PREFIX!,
  DATA_KEY: Buffer.from(env.DATA_KEY!, 'base64'),
  CURSOR_SECRET: Buffer.from(env.CURSOR_SECRET!, 'base64'),
  IDEMPOTENCY_LEASE_MS: 60_000,
  NATS_URL: env.NATS_URL!,
  NATS_PASSWORD: env.NATS_PASSWORD,
  HEALTH_PORT: 0,
  HEALTH_HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
});

function moduleOf(config: ReturnType<typeof configOf>) {
  class JobsModule {}
  Module({ imports: [MongoModule.forService(config, {})], providers: [Jobs, Handler] })(JobsModule);
  return { module: JobsModule, config };
}

let harness: TestHarness;
let held: HeldWrites;
const replicas: RunningService[] = [];
beforeAll(async () => {
  harness = await startHarness();
  held = await HeldWrites.before(harness.env.MONGODB_URI!);
  for (const uri of [harness.env.MONGODB_URI!, held.uri]) {
    const { module, config } = moduleOf(configOf(harness.env, uri));
    replicas.push(await startService('scheduling', module, config));
  }
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await held?.close();
  await harness?.stop();
});
beforeEach(async () => {
  await stored().deleteMany({});
  handled.length = 0;
  failsFor = () => false;
});

const stored = () => harness.database('scheduling_test').collection<Job>('jobs');
const [steady, paused] = [0, 1].map((index) => () => replicas[index]!.app.get(Jobs, { strict: false }).due);
const aJob = (more: Partial<Job> = {}): Job => ({
  _id: `job_${Math.random()}`,
  kind: 'single',
  dueAt: PAST,
  tries: 0,
  step: 'first',
  done: [],
  ...more,
});
const store = async (...jobs: Job[]): Promise<void> => void (await stored().insertMany(jobs));
const read = async ({ _id }: Job) => (await stored().findOne({ _id }))!;
/** Ends a lease, as time does. */
const lapse = ({ _id }: Job) => stored().updateOne({ _id }, { $set: { dueAt: PAST } });

describe('documents that are due', () => {
  it('are each handled once, by any of two replicas', async () => {
    const jobs = Array.from({ length: 250 }, () => aJob());
    await store(...jobs);
    await until(async () => (await stored().countDocuments({ dueAt: null })) === jobs.length, 'all are handled');
    expect(handled.toSorted()).toEqual(jobs.map(({ _id }) => _id).toSorted());
  });

  it('wait longer with each failure, and keep none of the others from being handled', async () => {
    const [failing, healthy] = [aJob({ dueAt: new Date(0) }), aJob()];
    failsFor = ({ _id }) => _id === failing._id;
    await store(failing, healthy);
    await until(async () => (await read(healthy)).dueAt === null, 'the other one is handled');
    await until(async () => (await read(failing)).tries >= 3, 'it was tried three times');
    await until(async () => (await read(failing)).dueAt! > sharedClock.inMs(1_000), 'it waits for more than a second');
    failsFor = () => false;
    await lapse(failing);
    await until(async () => (await read(failing)).dueAt === null, 'it is handled in the end');
  });

  it('are counted, with the time since which the first of them has been due', async () => {
    const [first, second] = [LEASE_MS, 2 * LEASE_MS].map((ms) => aJob({ kind: 'held', dueAt: sharedClock.inMs(ms) }));
    await store(first!, second!);
    const { due, offBy } = replicas[0]!.app.get(Jobs, { strict: false });
    expect(await due.backlog()).toEqual({ count: 0, oldest: null });
    expect(await offBy(3 * LEASE_MS).backlog()).toEqual({ count: 2, oldest: first!.dueAt });
  });
});

describe('a run', () => {
  it('that is paused while it stores something changes nothing once another has taken over', async () => {
    const job = aJob({ kind: 'held', dueAt: null });
    await store(job);
    const late = (await take(paused!(), job))!;
    held.holdWrite(1);
    const ending = paused!().end(late, { done: ['late'] });
    await until(() => held.isHolding, 'its write is held');
    await lapse(job);
    const next = (await take(steady!(), job))!;
    held.release();
    expect(await ending).toBe(false);
    expect(await paused!().renew(late)).toBe(false);
    expect(await paused!().postpone(late, 1)).toBe(false);
    expect(await read(job)).toMatchObject({ done: [], dueAt: next.dueAt });
    expect(await steady!().end(next, { done: ['mine'] })).toBe(true);
    expect(await read(job)).toMatchObject({ done: ['mine'], dueAt: null });
  });

  it('that reads its document only after another run has taken that over gets nothing', async () => {
    const job = aJob({ kind: 'held' });
    await store(job);
    const jobs = replicas[0]!.app.get(Jobs, { strict: false });
    const { lookUp } = jobs;
    jest.spyOn(jobs, 'lookUp').mockImplementationOnce(async (...of) => {
      await stored().updateOne({ _id: job._id }, { $set: { dueAt: sharedClock.inMs(LEASE_MS * 2) } });
      return lookUp.apply(jobs, of);
    });
    expect(await jobs.due.take(await read(job))).toBeNull();
  });

  it('does not end what was made due meanwhile', async () => {
    const job = aJob({ kind: 'held', dueAt: null });
    await store(job);
    const taken = (await take(steady!(), job))!;
    const dueAt = sharedClock.inMs(LEASE_MS * 2);
    await stored().updateOne({ _id: job._id }, { $set: { dueAt } });
    expect(await steady!().end(taken)).toBe(false);
    expect(await read(job)).toMatchObject({ dueAt });
  });

  it('keeps its lease, whatever the clock of another replica shows', async () => {
    const job = aJob({ kind: 'held', dueAt: null });
    await store(job);
    const { due, offBy } = replicas[0]!.app.get(Jobs, { strict: false });
    const taken = (await take(due, job))!;
    const ahead = offBy(600_000);
    const [found] = await ahead.findDue(1);
    expect(found).toMatchObject({ _id: job._id });
    expect(await ahead.take(found!)).toBeNull();
    expect(await due.renew(taken)).toBe(true);
  });

  it('of a replica whose clock is behind is superseded, and stores nothing more', async () => {
    const job = aJob({ kind: 'held', dueAt: null });
    await store(job);
    const { due, offBy } = replicas[0]!.app.get(Jobs, { strict: false });
    const behind = offBy(-600_000);
    const taken = (await take(behind, job))!;
    await take(due, taken);
    expect(await behind.end(taken, { done: ['late'] })).toBe(false);
    expect((await read(job)).done).toEqual([]);
  });
});

describe('a saga', () => {
  let service: CrashableService;
  beforeAll(async () => {
    for (const replica of replicas.splice(0)) await replica.stop();
    service = await CrashableService.start(harness, {
      service: 'scheduling',
      load: async () => moduleOf(configOf(process.env)),
      lapse: () => updateAll(stored(), { dueAt: { $type: 'date' } }, { dueAt: PAST }),
    });
  });
  afterAll(() => service?.stop());

  const isIdle = async () => (await stored().countDocuments({ dueAt: { $ne: null } })) === 0;

  jestIt.each([
    ['takes each step once, in order', 'saga', { done: ['first', 'second', 'third', 'fourth'], step: null }],
    ['undoes all steps once one is rejected', 'rejected', { done: [], step: null, abandoned: expect.anything() }],
  ])('%s, also when its process is killed after any write', async (_, kind, expected) => {
    const writes = await service.everywhere(async (n) => {
      const job = aJob({ kind });
      const hasCrashed = await service.crashDuring(n, () => store(job), isIdle);
      await service.idle(isIdle);
      expect(await read(job)).toMatchObject(expected);
      return hasCrashed;
    }, everyWrite);
    expect(writes).toBeGreaterThan(6);
  });
});

/** Takes over a job that is due, unless a replica of the test was faster. */
async function take(work: Work<Job>, job: Job): Promise<Job | null> {
  return until(async () => {
    const now = await read(job);
    if (!now.dueAt || now.dueAt > sharedClock.now()) await lapse(job);
    return work.take(await read(job));
  }, 'it is taken over');
}
