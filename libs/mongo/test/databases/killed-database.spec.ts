import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { createPool, type ErrorBody, type ParsedOf, type Pool } from '@swim/contracts';
import { connectNats, RpcClient, type RunningService, Serve, startService } from '@swim/messaging';
import { AppError, newId, type RequestContext } from '@swim/platform';
import { Schema } from 'mongoose';
import { resolveDatabase } from '../../../../deploy/local/engine/resolve-database.ts';
import { temporaryFolder } from '../../../../deploy/system/files/temporary-folder.ts';
import { createSupervisor } from '../../../../deploy/system/processes/supervisor.ts';
import { until } from '../../../testing/src/waiting/until.js';
import { Databases, MongoModule, Repository } from '../../src/index.js';
import { type MongoHarness, silent, startHarness } from '../harness.js';
import { aContext } from '../replica.js';

// A database server starts, is killed and recovers, on a machine that may be busy with other tests.
const PATIENCE_MS = 240_000;
const WRITERS = 16;

interface StoredPool extends Pool {
  _id: string;
}

@Injectable()
class Pools extends Repository<StoredPool> {
  constructor(databases: Databases) {
    super(databases.collection('pools', new Schema<StoredPool>({ _id: String, name: String }, { versionKey: false })));
  }

  insert = (context: RequestContext, pool: StoredPool) =>
    super.tryInsert({ env: context.principal.env, system: 'a test stores' }, pool);
}

@Controller()
class PoolsController {
  constructor(private readonly pools: Pools) {}

  @Serve(createPool)
  async create(input: ParsedOf<typeof createPool>, context: RequestContext): Promise<Pool> {
    const id = context.newId('pool');
    const pool = {
      ...input,
      id,
      account_id: context.principal.accountId,
      lanes: null,
      metadata: {},
      created_at: '',
      updated_at: '',
    };
    await this.pools.insert(context, { ...pool, _id: id });
    return pool;
  }
}

/** A database server of this test's own, restarted whenever it dies. */
async function startDatabase(): Promise<{ uri: string; kill(): void; stop(): Promise<void> }> {
  const { folder, remove } = temporaryFolder();
  const log = () => undefined;
  const supervisor = createSupervisor({ logFolder: `${folder}/logs`, log });
  const shared = process.env.MONGODB_URI;
  delete process.env.MONGODB_URI;
  const { uri } = await resolveDatabase({ dataDir: folder, log, supervisor }).finally(() => {
    if (shared !== undefined) process.env.MONGODB_URI = shared;
  });
  return {
    uri,
    kill() {
      const server = supervisor.processes().find(({ name }) => name === 'postgres' || name === 'mongod');
      if (server) process.kill(server.pid, 'SIGKILL');
    },
    async stop() {
      supervisor.close();
      await supervisor.stop().finally(remove);
    },
  };
}

let harness: MongoHarness;
let database: Awaited<ReturnType<typeof startDatabase>>;
let service: RunningService;
let connection: Awaited<ReturnType<typeof connectNats>>;
let client: RpcClient;

beforeAll(async () => {
  harness = await startHarness();
  database = await startDatabase();
  class PoolsModule {}
  const config = { ...harness.config, MONGODB_URI: database.uri };
  Module({ imports: [MongoModule.forService(config, {})], controllers: [PoolsController], providers: [Pools] })(
    PoolsModule,
  );
  service = await startService('scheduling', PoolsModule, {
    NATS_URL: harness.nats.url,
    HEALTH_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
  connection = await connectNats(harness.nats.url, 'tests', silent);
  client = new RpcClient(connection);
});
afterAll(async () => {
  await client?.close();
  await connection?.close();
  await service?.stop();
  await database?.stop();
  await harness?.stop();
});

const pool = { name: 'North', address: 'Shore 1', latitude: 0, longitude: 0, timezone: 'UTC' };

/** The result of one write: the id of the stored document, or the reason of an unknown outcome. */
async function write(): Promise<{ id?: string; reason?: string; retryAfterSeconds?: number | null }> {
  try {
    const context = aContext({ idempotencyKey: newId('req'), fingerprint: 'body' });
    const { error, body, retryAfterSeconds } = await client.request(createPool, JSON.stringify(pool), context);
    const decoded = JSON.parse(Buffer.from(body).toString()) as Pool & ErrorBody;
    return error ? { reason: decoded.details.reason, retryAfterSeconds } : { id: decoded.id };
  } catch (error) {
    return { reason: error instanceof AppError ? error.reason : String(error) };
  }
}

describe('while the database server is killed under writers and starts again', () => {
  it('every write succeeds or fails as retryable, and no successful one is lost', async () => {
    const made: string[] = [];
    const rejected = new Map<string, number>();
    let isOver = false;
    const writer = async () => {
      while (!isOver) {
        const { id, reason, retryAfterSeconds } = await write();
        if (id !== undefined) made.push(id);
        else rejected.set(reason!, (rejected.get(reason!) ?? 0) + 1);
        if (reason === 'unavailable') expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
      }
    };
    const writers = Array.from({ length: WRITERS }, writer);
    const more = async (count: number) => {
      const before = made.length;
      await until(() => made.length >= before + count, 'writes are made again', PATIENCE_MS);
    };
    try {
      for (let time = 0; time < 2; time++) {
        await more(100);
        const before = rejected.get('unavailable') ?? 0;
        database.kill();
        await until(() => (rejected.get('unavailable') ?? 0) > before, 'the database is missed', PATIENCE_MS);
      }
      await more(100);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
    const passing = new Set(['unavailable', 'overloaded', 'deadline_exceeded']);
    expect([...rejected.keys()].filter((reason) => !passing.has(reason))).toEqual([]);
    const stored = service.app
      .get(Databases, { strict: false })
      .connection.useDb(`${harness.config.DATABASE_PREFIX}_scheduling_test`);
    const found = await stored.db!.collection<StoredPool>('pools').countDocuments({ _id: { $in: made } });
    expect([found, new Set(made).size]).toEqual([made.length, made.length]);
  });
});
