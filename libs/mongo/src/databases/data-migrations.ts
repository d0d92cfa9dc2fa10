import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { currentEnvironment, inEnvironment, LOGGER, type Logger } from '@swim/platform';
import type { mongo } from 'mongoose';
import { Sweep } from '../work/sweep.js';
import { Databases } from './databases.js';

const SWEEP_MS = 1_000;
const LEASE_MS = 60_000;
// During an update, a replica of the old release may still write the old format; by then it has been replaced.
const NEXT_PASS_MS = 600_000;

/** The result of a batch. */
export interface MigratedBatch {
  /** The id of its last document; null without documents. */
  last: string | null;
  /** How many documents it changed. */
  changed: number;
}

/**
 * A migration of stored documents, in batches by id. While it runs, the service reads both formats. A batch may be repeated,
 * and run beside writers: it changes a document only if it is unchanged since it was read.
 */
export interface DataMigration {
  /** `NNNN-name`, unique in the service. Under another name than before it runs again. */
  readonly name: string;
  migrate(after: string): Promise<MigratedBatch>;
  /** Whether there is something to change although it has ended, as where a format that was left is taken up again. */
  hasMore?(): Promise<boolean>;
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
 * Runs the service's data migrations in the background, on one replica at a time: the start of the service does not wait for
 * them. Progress is stored with each batch, so that another process resumes there. A pass that changed a document is followed
 * by another; the first pass without changes ends the migration.
 */
@Injectable()
export class DataMigrations implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly registered: DataMigration[] = [];
  /** The name under which a migration has ended in an environment. */
  private readonly applied = new Map<DataMigration, Partial<Record<Environment, string>>>();
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
    this.applied.set(migration, {});
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
        if (this.isStopping || this.applied.get(migration)![env] === migration.name) continue;
        await inEnvironment(env, () => this.run(migration)).catch((error) =>
          this.logger.error(
            { err: error, env, component: migration.name },
            'data migration failed, and is tried again',
          ),
        );
      }
    }
  }

  private async run(migration: DataMigration): Promise<void> {
    const { name } = migration;
    const progress = await this.take(name, migration);
    if (!progress) return;
    let { after = '', changed = 0 } = progress;
    while (!this.isStopping && name === migration.name) {
      const batch = await migration.migrate(after);
      changed += batch.changed;
      if (batch.last === null) return this.endPass(name, changed, migration);
      after = batch.last;
      if (!(await this.save(name, { after, changed, until: this.databases.clock.inMs(LEASE_MS) }))) return;
    }
    await this.save(name, { until: new Date(0) });
  }

  /** The progress, if this process has taken the lease. */
  private async take(name: string, migration: DataMigration): Promise<Progress | null> {
    const states = this.states();
    await states.insertOne({ _id: name }).catch((error) => {
      if (error.code !== 11_000) throw error;
    });
    // Read in the pipeline: some engines do not support $$NOW in the filter of an update. An absent date sorts before any
    // other.
    const free = { $lt: ['$until', '$$NOW'] };
    const lease = {
      holder: { $cond: [free, this.holder, '$holder'] },
      until: { $cond: [free, { $add: ['$$NOW', LEASE_MS] }, '$until'] },
    };
    const taken = await states.updateOne({ _id: name, appliedAt: { $exists: false } }, [{ $set: lease }]);
    if (taken.modifiedCount === 1) return states.findOne({ _id: name });
    const appliedAt = (await states.findOne({ _id: name }))?.appliedAt;
    if (!appliedAt) return null;
    if (await migration.hasMore?.())
      await states.updateOne({ _id: name, appliedAt }, { $unset: { appliedAt: 1, until: 1, after: 1, changed: 1 } });
    else this.noteApplied(name, migration);
    return null;
  }

  private async endPass(name: string, changed: number, migration: DataMigration): Promise<void> {
    const env = currentEnvironment();
    if (changed > 0) {
      this.logger.info({ env, component: name, count: changed }, 'data migrated; looked over once more later');
      await this.save(name, { after: '', changed: 0, until: this.databases.clock.inMs(NEXT_PASS_MS) });
      return;
    }
    // Otherwise another process has taken over, and may not come to its end.
    const isSaved = await this.save(name, { appliedAt: this.databases.clock.now() });
    if (isSaved) this.noteApplied(name, migration);
  }

  private noteApplied(name: string, migration: DataMigration): void {
    this.applied.get(migration)![currentEnvironment()] = name;
  }

  private async save(name: string, progress: Partial<Progress>): Promise<boolean> {
    const result = await this.states().updateOne({ _id: name, holder: this.holder }, { $set: progress });
    return result.matchedCount === 1;
  }

  private states(): mongo.Collection<Progress> {
    return this.databases.database(currentEnvironment()).collection<Progress>('migrations');
  }
}
