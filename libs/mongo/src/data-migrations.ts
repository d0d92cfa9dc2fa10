import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { LOGGER, type Logger, Sweep } from '@swim/platform';
import type { mongo } from 'mongoose';
import { Databases } from './databases.js';

const SWEEP_MS = 1_000;
const LEASE_MS = 60_000;
// A replica of the former release may still write the old shape; by then it has been replaced.
const NEXT_PASS_MS = 600_000;

/** What a batch came to. */
export interface MigratedBatch {
  /** The id of its last document; null when there are none left. */
  last: string | null;
  /** How many documents it had to change. */
  changed: number;
}

/**
 * A migration of stored documents, batch by batch in the order of their ids. While it runs, the service reads the old shape
 * and the new one. A batch may run again, and beside writers: it changes a document only if it still is what was read.
 */
export interface DataMigration {
  /** `NNNN-name`, unique in the service. */
  readonly name: string;
  migrate(env: Environment, after: string): Promise<MigratedBatch>;
}

interface Progress {
  _id: string;
  holder?: string;
  until?: Date;
  after?: string;
  changed?: number;
  appliedAt?: Date;
}

/**
 * Runs the service's data migrations beside its work, one replica at a time: no start waits for them, however many documents
 * there are. How far one has come is stored with each batch, so that the next process goes on from there. A pass over all
 * that changed anything is followed by another; the first that finds nothing to do ends the migration for good.
 */
@Injectable()
export class DataMigrations implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly registered: DataMigration[] = [];
  private readonly applied = new Set<string>();
  private readonly holder = randomUUID();
  private readonly sweep: Sweep;
  private isStopping = false;

  constructor(
    private readonly databases: Databases,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('data migrations', SWEEP_MS, () => this.runAll(), logger);
  }

  register(migration: DataMigration): void {
    this.registered.push(migration);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.sweep.stop();
  }

  private async runAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const migration of this.registered) {
        if (this.isStopping || this.applied.has(`${env}|${migration.name}`)) continue;
        await this.run(env, migration).catch((error) =>
          this.logger.error({ err: error, env, name: migration.name }, 'data migration failed, and is tried again'),
        );
      }
    }
  }

  private async run(env: Environment, migration: DataMigration): Promise<void> {
    const progress = await this.take(env, migration.name);
    if (!progress) return;
    let { after = '', changed = 0 } = progress;
    while (!this.isStopping) {
      const batch = await migration.migrate(env, after);
      changed += batch.changed;
      if (batch.last === null) return this.endPass(env, migration.name, changed);
      after = batch.last;
      if (!(await this.save(env, migration.name, { after, changed, until: this.databases.clock.inMs(LEASE_MS) })))
        return;
    }
    await this.save(env, migration.name, { until: new Date(0) });
  }

  /** How far it has come, if it is this process that goes on with it. */
  private async take(env: Environment, name: string): Promise<Progress | null> {
    const states = this.states(env);
    await states.insertOne({ _id: name }).catch((error) => {
      if (error.code !== 11_000) throw error;
    });
    // Asked in the pipeline: some engines do not know $$NOW in the filter of an update. An absent date sorts before any other.
    const free = { $lt: ['$until', '$$NOW'] };
    const lease = {
      holder: { $cond: [free, this.holder, '$holder'] },
      until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
    };
    const taken = await states.updateOne({ _id: name, appliedAt: { $exists: false } }, [{ $set: lease }]);
    if (taken.modifiedCount === 1) return states.findOne({ _id: name });
    if ((await states.findOne({ _id: name }))?.appliedAt) this.applied.add(`${env}|${name}`);
    return null;
  }

  private async endPass(env: Environment, name: string, changed: number): Promise<void> {
    if (changed > 0) {
      this.logger.info({ env, name, count: changed }, 'data migrated; looked over once more later');
      await this.save(env, name, { after: '', changed: 0, until: this.databases.clock.inMs(NEXT_PASS_MS) });
      return;
    }
    await this.save(env, name, { appliedAt: this.databases.clock.now() });
    this.applied.add(`${env}|${name}`);
  }

  private async save(env: Environment, name: string, progress: Partial<Progress>): Promise<boolean> {
    const result = await this.states(env).updateOne({ _id: name, holder: this.holder }, { $set: progress });
    return result.matchedCount === 1;
  }

  private states(env: Environment): mongo.Collection<Progress> {
    return this.databases.database(env).collection<Progress>('migrations');
  }
}
