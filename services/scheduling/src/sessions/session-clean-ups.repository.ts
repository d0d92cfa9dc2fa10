import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type SessionDocument, sessionSchema } from './session.schema.js';

const CLEAN_UP_MS = 2_000;

const recovery = (env: Environment) => asSystem(env, 'recovery');

/** When recovery processes a session whose claims change, and the record that nothing is left to do. */
@Injectable()
export class SessionCleanUpsRepository extends Repository<SessionDocument> {
  constructor(private readonly databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** When recovery processes a clean-up, in case of a crash. */
  dueAt(): Date {
    return this.databases.clock.inMs(CLEAN_UP_MS);
  }

  /** The sessions that recovery has to process now, at most `limit`, the most overdue first. Their texts are encrypted. */
  findDue(env: Environment, limit: number): Promise<SessionDocument[]> {
    return this.findDueBy(recovery(env), 'dueAt', this.databases.clock.now(), limit);
  }

  /** Postpones the recovery of a session, unless its due time has changed since. */
  async postpone(env: Environment, { _id, dueAt }: SessionDocument, delayMs: number): Promise<void> {
    await this.update(recovery(env), { _id, dueAt }, { $set: { dueAt: this.databases.clock.inMs(delayMs) } });
  }

  /**
   * Records that the claims these sessions have dropped are released. One update for those of a revision: the database takes a
   * quarter of the time of one update each. Sessions that have changed since, or have a move, are left to recovery.
   */
  async finish(env: Environment, sessions: readonly SessionDocument[]): Promise<void> {
    const options = { asSystem: 'recovery' } as object;
    const settled = sessions.filter(({ move }) => move === null);
    const updates = [...Map.groupBy(settled, (session) => session.rev)].map(([rev, alike]) => {
      const _id = mongoose.trusted({ $in: alike.map((session) => session._id) });
      return this.model(recovery(env)).updateMany({ _id, rev }, { $set: { drop: [], dueAt: null } }, options);
    });
    await Promise.all(updates);
  }
}
