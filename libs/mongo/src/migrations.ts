import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, sharedClock } from '@swim/platform';
import type { mongo } from 'mongoose';
import { isDuplicate } from './conditional-writes.js';

const LEASE_MS = 60_000;
const WAIT_MS = 200;

/** The exports of a migration file `NNNN-name.mjs`. It must be idempotent, also after a crash half way. */
interface Migration {
  up(database: mongo.Db): Promise<void>;
}

interface Applied {
  _id: string;
  appliedAt?: Date;
  holder?: string;
  until?: Date;
}

async function migrationFiles(folder: URL): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => /^\d{4}-[\w-]+\.mjs$/.test(file)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function acquire(applied: mongo.Collection<Applied>, holder: string): Promise<void> {
  await applied.insertOne({ _id: 'lock' }).catch(unlessStored);
  for (;;) {
    // Read in the pipeline: some engines do not support $$NOW in the filter of an update. An absent date sorts before any
    // other.
    const free = { $lt: ['$until', '$$NOW'] };
    const lease = {
      holder: { $cond: [free, holder, '$holder'] },
      until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
    };
    if ((await applied.updateOne({ _id: 'lock' }, [{ $set: lease }])).modifiedCount === 1) return;
    await pause(WAIT_MS);
  }
}

function unlessStored(error: unknown): void {
  if (!isDuplicate(error)) throw error;
}

/** Runs the migrations of the folder that this database lacks, in order of name, one process at a time. */
export async function migrate(database: mongo.Db, folder: URL | undefined, logger: Logger): Promise<void> {
  const files = folder ? await migrationFiles(folder) : [];
  if (files.length === 0) return;
  const applied = database.collection<Applied>('migrations');
  const holder = randomUUID();
  await acquire(applied, holder);
  try {
    for (const file of files) {
      if (await applied.findOne({ _id: file })) continue;
      const migration = (await import(new URL(file, folder).href)) as Migration;
      await migration.up(database);
      // Another process may have applied it too, once it had taken longer than the lease.
      await applied.insertOne({ _id: file, appliedAt: sharedClock.now() }).catch(unlessStored);
      logger.info({ component: file, database: database.databaseName }, 'migration applied');
    }
  } finally {
    await applied.updateOne({ _id: 'lock', holder }, { $unset: { until: 1, holder: 1 } });
  }
}
