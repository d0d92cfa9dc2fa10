import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { createPool, HEALTH_CHECKS, type ParsedOf, type Pool } from '@swim/contracts';
import { connectNats, RpcClient, type RunningService, Serve, startService } from '@swim/messaging';
import { Deadline, newId, type RequestContext, resultOf } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import { freePort } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { Databases, type MongoConfig, MongoModule, Repository } from '../src/index.js';
import { type MongoHarness, silent, startHarness } from './harness.js';
import { aContext } from './replica.js';

interface StoredPool extends Pool {
  _id: string;
}

const schema = new Schema<StoredPool>(
  { _id: String, name: String, account_id: String, address: String },
  { versionKey: false },
);
schema.index({ name: 1, address: -1 });

@Injectable()
class Pools extends Repository<StoredPool> {
  constructor(databases: Databases) {
    super(databases.collection('pools', schema));
  }

  insert = (context: RequestContext, pool: StoredPool) =>
    super.tryInsert({ env: context.principal.env, system: 'a test stores' }, pool);
}

let runs = 0;
/** What a run waits for before it stores. */
let delays: Promise<void>[] = [];

@Controller()
class PoolsController {
  constructor(private readonly pools: Pools) {}

  @Serve(createPool)
  async create(input: ParsedOf<typeof createPool>, context: RequestContext): Promise<Pool> {
    runs++;
    const _id = context.newId('pool');
    const pool = {
      ...input,
      id: _id,
      account_id: context.principal.accountId,
      lanes: null,
      metadata: {},
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
    };
    await delays.shift();
    if (!context.dryRun) await this.pools.insert(context, { ...pool, _id });
    return pool;
  }
}

const moduleOf = (config: MongoConfig) => {
  class PoolsModule {}
  const metadata = {
    imports: [MongoModule.forService(config, {})],
    controllers: [PoolsController],
    providers: [Pools],
  };
  Module(metadata)(PoolsModule);
  return PoolsModule;
};

let harness: MongoHarness;
let service: RunningService;
let health: string;
let connection: Awaited<ReturnType<typeof connectNats>>;
let client: RpcClient;

const start = async (config: MongoConfig, port: number) =>
  startService('scheduling', moduleOf(config), {
    NATS_URL: harness.nats.url,
    HEALTH_PORT: port,
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
const databaseOf = (env: string) => {
  const { client: mongoClient } = service.app.get(Databases, { strict: false }).connection as unknown as {
    client: mongoose.mongo.MongoClient;
  };
  return mongoClient.db(`${harness.config.DATABASE_PREFIX}_scheduling_${env}`);
};

beforeAll(async () => {
  harness = await startHarness();
  const port = await freePort();
  service = await start(harness.config, port);
  health = `http://127.0.0.1:${port}/health`;
  connection = await connectNats(harness.nats.url, 'tests', silent);
  client = new RpcClient(connection);
});
afterAll(async () => {
  await client.close();
  await connection.close();
  for (const env of ['live', 'test']) await databaseOf(env).dropDatabase();
  await service.stop();
  await harness.stop();
});

const pool = { name: 'North', address: 'Shore 1', latitude: 0, longitude: 0, timezone: 'UTC' };
const request = (context: RequestContext) => client.request(createPool, JSON.stringify(pool), context);

describe('a service on this library', () => {
  it('is healthy while it reaches its database', async () => {
    const readHealth = async () => (await (await fetch(health)).json()) as { failing: string[] };
    // A check that is too slow on a busy machine counts as failing until it succeeds.
    const answer = await until(async () => {
      const each = await readHealth();
      return each.failing.length === 0 ? each : null;
    }, 'all its parts answer');
    expect(answer).toEqual({ status: 'ok', failing: [] });
    const check = HEALTH_CHECKS.find(({ service: name }) => name === 'scheduling')!;
    expect(await client.call(check, {}, aContext())).toEqual({ failing: [] });
  });

  it('has its indexes in both environments before it is ready', async () => {
    for (const env of ['live', 'test']) {
      const indexes = await databaseOf(env).collection('pools').indexes();
      expect(indexes.map(({ key }) => key)).toContainEqual({ name: 1, address: -1 });
    }
  });

  it('returns a repeated write under a key from its record, over NATS', async () => {
    const context = aContext({ idempotencyKey: newId('req'), fingerprint: 'body' });
    const before = runs;
    const first = await request(context);
    const repeated = await request(aContext({ ...context, requestId: newId('req') }));
    expect([runs - before, first.replayed, repeated.replayed]).toEqual([1, false, true]);
    expect(Buffer.from(repeated.body).equals(Buffer.from(first.body))).toBe(true);
    const { id } = resultOf(createPool, first);
    expect(await databaseOf('test').collection<StoredPool>('pools').countDocuments({ _id: id })).toBe(1);
  });

  it('stores nothing in a dry run', async () => {
    const context = aContext({ idempotencyKey: newId('req'), fingerprint: 'body', dryRun: true });
    const { id } = resultOf(createPool, await request(context));
    expect(await databaseOf('test').collection<StoredPool>('pools').countDocuments({ _id: id })).toBe(0);
  });
});

describe('a write without an Idempotency-Key, which the gateway repeats under a key of its own', () => {
  const named = (name: string) => databaseOf('test').collection<StoredPool>('pools').find({ name }).toArray();
  const send = (name: string, context: RequestContext, isRepeat = false) =>
    client.request(createPool, JSON.stringify({ ...pool, name }), context, isRepeat);
  let second: RunningService;

  beforeAll(async () => {
    second = await start(harness.config, await freePort());
  });
  afterAll(() => second.stop());

  it('takes effect once when its reply is lost while it runs, in whichever replica', async () => {
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    delays = [end];
    const before = runs;
    const answer = send('lost reply', aContext({ writeKey: newId('req') }));
    await until(() => runs > before, 'it runs');
    await harness.nats.kill();
    await harness.nats.restart();
    await until(
      async () => (await send('another', aContext()).catch(() => null)) !== null,
      'NATS and the service are back',
    );
    finish();
    const { id } = resultOf(createPool, await answer);
    expect((await named('lost reply')).map(({ _id }) => _id)).toEqual([id]);
    expect((await answer).replayed).toBe(true);
  });

  it('takes effect once when its first run wakes after the repetition', async () => {
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    delays = [end];
    const writeKey = newId('req');
    const first = send('late run', aContext({ writeKey, deadline: new Deadline(800) })).catch((error) => error.reason);
    expect(await first).toBe('deadline_exceeded');
    const answer = await send('late run', aContext({ writeKey }), true);
    const made = await named('late run');
    expect(made.map(({ _id }) => _id)).toEqual([resultOf(createPool, answer).id]);
    finish();
    const again = () => send('late run', aContext({ writeKey }));
    await until(async () => (await again()).replayed, 'the answer is stored');
    expect(await named('late run')).toEqual(made);
    expect(Buffer.from((await again()).body)).toEqual(Buffer.from(answer.body));
  });
});
