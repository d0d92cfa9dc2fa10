import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { createPool, type ParsedOf, type Pool } from '@swim/contracts';
import { type Call, connectNats, RpcClient, type RunningService, resultOf, Serve, startService } from '@swim/messaging';
import { newId } from '@swim/platform';
import mongoose, { Schema } from 'mongoose';
import { freePort } from '../../testing/src/nats-server.js';
import { until } from '../../testing/src/until.js';
import { Databases, type MongoConfig, MongoModule, Repository } from '../src/index.js';
import { type MongoParts, silent, startParts } from './mongo-parts.js';
import { aCall } from './replica.js';

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

  insert = (call: Call, pool: StoredPool) =>
    super.tryInsert({ env: call.principal.env, system: 'a test stores' }, pool);
}

let runs = 0;

@Controller()
class PoolsController {
  constructor(private readonly pools: Pools) {}

  @Serve(createPool)
  async create(input: ParsedOf<typeof createPool>, call: Call): Promise<Pool> {
    runs++;
    const _id = call.newId('pool');
    const pool = {
      ...input,
      id: _id,
      account_id: call.principal.accountId,
      lanes: null,
      created_at: new Date().toISOString(),
    };
    if (!call.dryRun) await this.pools.insert(call, { ...pool, _id });
    return pool;
  }
}

const moduleOf = (config: MongoConfig) => {
  class PoolsModule {}
  const metadata = { imports: [MongoModule.forService(config)], controllers: [PoolsController], providers: [Pools] };
  Module(metadata)(PoolsModule);
  return PoolsModule;
};

let parts: MongoParts;
let service: RunningService;
let health: string;
let connection: Awaited<ReturnType<typeof connectNats>>;
let client: RpcClient;

const start = async (config: MongoConfig, port: number) =>
  startService('scheduling', moduleOf(config), {
    NATS_URL: parts.nats.url,
    HEALTH_PORT: port,
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
const databaseOf = (env: string) => {
  const { client: mongoClient } = service.app.get(Databases, { strict: false }).connection as unknown as {
    client: mongoose.mongo.MongoClient;
  };
  return mongoClient.db(`${parts.config.DATABASE_PREFIX}_scheduling_${env}`);
};

beforeAll(async () => {
  parts = await startParts();
  const port = await freePort();
  service = await start(parts.config, port);
  health = `http://127.0.0.1:${port}/health`;
  connection = await connectNats(parts.nats.url, 'tests', silent);
  client = new RpcClient(connection);
});
afterAll(async () => {
  await client.close();
  await connection.close();
  for (const env of ['live', 'test']) await databaseOf(env).dropDatabase();
  await service.stop();
  await parts.stop();
});

const pool = { name: 'North', address: 'Shore 1', latitude: 0, longitude: 0, timezone: 'UTC' };
const request = (call: Call) => client.request(createPool, JSON.stringify(pool), call);

describe('a service on this library', () => {
  it('is healthy while it reaches its database', async () => {
    const told = async () => (await (await fetch(health)).json()) as { failing: string[] };
    // A part that is too busy to answer a check in time counts as failing until it does.
    const answer = await until(async () => {
      const each = await told();
      return each.failing.length === 0 ? each : null;
    }, 'all its parts answer');
    expect(answer).toEqual({ status: 'ok', failing: [] });
  });

  it('has its indexes in both environments before it is ready', async () => {
    for (const env of ['live', 'test']) {
      const indexes = await databaseOf(env).collection('pools').indexes();
      expect(indexes.map(({ key }) => key)).toContainEqual({ name: 1, address: -1 });
    }
  });

  it('answers a write under a key once more from its record, over the bus', async () => {
    const call = aCall({ idempotencyKey: newId('req'), fingerprint: 'body' });
    const before = runs;
    const first = await request(call);
    const again = await request(aCall({ ...call, requestId: newId('req') }));
    expect([runs - before, first.replayed, again.replayed]).toEqual([1, false, true]);
    expect(Buffer.from(again.body).equals(Buffer.from(first.body))).toBe(true);
    const { id } = resultOf(createPool, first);
    expect(await databaseOf('test').collection<StoredPool>('pools').countDocuments({ _id: id })).toBe(1);
  });

  it('keeps nothing of a dry run', async () => {
    const call = aCall({ idempotencyKey: newId('req'), fingerprint: 'body', dryRun: true });
    const { id } = resultOf(createPool, await request(call));
    expect(await databaseOf('test').collection<StoredPool>('pools').countDocuments({ _id: id })).toBe(0);
  });
});
