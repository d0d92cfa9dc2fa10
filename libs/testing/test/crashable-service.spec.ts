import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { createPool, type ParsedOf, type Pool } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { asSystem, Databases, MongoModule, Repository } from '@swim/mongo';
import { newId, type RequestContext } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import { everyWrite, sampleOfWrites } from '../src/faults/crash-points.js';
import { CrashableService } from '../src/services/crashable-service.js';
import { type RequestOptions, rejectionOf, startHarness, type TestHarness } from '../src/services/harness.js';
import { until } from '../src/waiting/until.js';

const WRITES = 3;

interface Stored {
  _id: string;
  name: string;
}

const schema = new Schema<Stored>({ _id: String, name: String }, { versionKey: false });

@Injectable()
class Pools extends Repository<Stored> {
  constructor(databases: Databases) {
    super(databases.collection('pools', schema));
  }

  async store({ principal }: RequestContext, name: string): Promise<void> {
    await this.tryInsert(asSystem(principal.env, 'a test stores'), { _id: newId('pool'), name });
  }
}

/** Stores a pool for each write, one after the other. */
@Controller()
class PoolsController {
  constructor(private readonly pools: Pools) {}

  @Serve(createPool)
  async create(input: ParsedOf<typeof createPool>, context: RequestContext): Promise<Pool> {
    for (let write = 1; write <= WRITES; write++) await this.pools.store(context, input.name);
    const id = newId('pool');
    const at = new Date().toISOString();
    return {
      ...input,
      id,
      account_id: context.principal.accountId,
      lanes: null,
      metadata: {},
      created_at: at,
      updated_at: at,
    };
  }
}

let harness: TestHarness;
let service: CrashableService;
let lapses = 0;
beforeAll(async () => {
  harness = await startHarness();
  service = await CrashableService.start(harness, {
    service: 'scheduling',
    load: async () => {
      const { env } = process;
      const secret = (name: string) => Buffer.from(env[name]!, 'base64');
      const config = {
        MONGODB_URI: env.MONGODB_URI!,
        DATABASE_PREFIX: env.DATABASE_PREFIX!,
        DATA_KEY: secret('DATA_KEY'),
        CURSOR_SECRET: secret('CURSOR_SECRET'),
        IDEMPOTENCY_LEASE_MS: 60_000,
        NATS_URL: env.NATS_URL!,
        NATS_PASSWORD: env.NATS_PASSWORD,
        HEALTH_PORT: 0,
        HEALTH_HOST: '127.0.0.1',
        LOG_LEVEL: 'silent',
      };
      class PoolsModule {}
      Module({ imports: [MongoModule.forService(config, {})], controllers: [PoolsController], providers: [Pools] })(
        PoolsModule,
      );
      return { module: PoolsModule, config };
    },
    lapse: async () => void lapses++,
  });
});
afterAll(async () => {
  await service?.stop();
  await harness?.stop();
});

const create = (name: string, options: RequestOptions = {}) =>
  harness.call(createPool, { name, address: 'Shore 1', latitude: 0, longitude: 0, timezone: 'UTC' }, options);
const stored = (name: string) => harness.database('scheduling_test').collection('pools').countDocuments({ name });
const isIdle = async () => true;

it('a crash after the nth write: nothing is written or returned afterwards, and a new instance serves', async () => {
  const answers: unknown[] = [];
  const writes = await service.everywhere(async (n) => {
    const work = () => create(`pool ${n}`).then((pool) => answers.push(pool.name));
    const crashed = await service.crashDuring(n, work, isIdle);
    expect(await stored(`pool ${n}`)).toBe(Math.min(n, WRITES));
    await create(`later ${n}`);
    expect(await stored(`later ${n}`)).toBe(WRITES);
    return crashed;
  }, everyWrite);
  expect([writes, lapses]).toEqual([WRITES, WRITES]);
  expect(answers).toEqual([`pool ${WRITES + 1}`]);
});

it.each([
  [2, [1, 2, 18, 3]],
  [3, [1, 3, 19]],
  [4, [1, 4, 3]],
])(
  'a sample from write %i crashes after the first and the last write too, and counts all writes',
  async (start, cases) => {
    const crashedAt: number[] = [];
    const scenario = (n: number) => {
      crashedAt.push(n);
      return service.crashDuring(n, () => create(`sample ${start}, ${n}`), isIdle);
    };
    expect(await service.everywhere(scenario, sampleOfWrites(start))).toBe(WRITES);
    expect(crashedAt).toEqual(cases);
  },
);

it('a failure names the write, and how to repeat its sample', async () => {
  const failure = service.everywhere(() => Promise.reject(new Error('lost')), sampleOfWrites(5));
  await expect(failure).rejects.toMatchObject({
    message: 'The case of write 1 fails; CRASH_SAMPLE=5 repeats this sample. lost',
    cause: { message: 'lost' },
  });
});

it('a crash without a write: requests fail until there is a new instance', async () => {
  await service.crash();
  expect(() => service.app).toThrow('The service has crashed.');
  const { reason } = await rejectionOf(create('nobody', { budgetMs: 2_000 }));
  // The latter where the server was too busy to report in time that nobody serves.
  expect(['unavailable', 'deadline_exceeded']).toContain(reason);
  await service.restart();
  expect(await create('somebody')).toMatchObject({ name: 'somebody' });
});

it('mongoose does not keep the connection of a crashed instance, so that its memory is freed', async () => {
  const connections = mongoose.connections.length;
  for (let time = 1; time <= 3; time++) {
    await service.crash();
    await service.restart();
  }
  // What is left of an instance ends beside the next one.
  await until(() => mongoose.connections.length === connections, 'no connection is kept');
});

/** How many functions mongoose calls before each query of the schema. */
const hooksOfFind = (): number =>
  (schema as unknown as { s: { hooks: { _pres: Map<string, unknown[]> } } }).s.hooks._pres.get('find')!.length;

it('a schema has one tenant guard, however often a service that uses it has started', async () => {
  const hooks = hooksOfFind();
  expect(hooks).toBeGreaterThan(0);
  await service.crash();
  await service.restart();
  expect(hooksOfFind()).toBe(hooks);
});

it('work that never stops writing fails with an error that says so', async () => {
  await expect(service.everywhere(async () => true)).rejects.toThrow('It still writes after 200 writes.');
});
