import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import mongoose from 'mongoose';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

// Well after the end of the request.
const CLEAN_UP_MS = 3_000;
const RELEASED = { drop: [], left: [], dueAt: null };

const recovery = asSystem('recovery');

/** When recovery processes a session whose claims change, and the record that nothing is left to do. */
@Injectable()
export class SessionCleanUpsRepository extends Repository<SessionDocument> {
  /** Sessions whose move or release a crash has interrupted. Their texts are encrypted. */
  readonly due = this.work({ name: 'session clean-ups', due: 'dueAt', reason: 'recovery' });

  constructor(private readonly databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** When recovery processes a clean-up, in case of a crash. */
  dueAt(): Date {
    return this.databases.clock.inMs(CLEAN_UP_MS);
  }

  /** Records that the claims a session has dropped are released. A session that has changed since is left to recovery. */
  async finish({ _id, rev }: SessionDocument): Promise<void> {
    await this.update(recovery, { _id, rev }, { $set: RELEASED });
  }

  /** The same for many. Cancelled ones drop nothing more. */
  async finishAll(sessions: readonly SessionDocument[]): Promise<void> {
    const isCancelled = ({ status }: SessionDocument) => status === 'cancelled';
    const ids = sessions.filter(isCancelled).map(({ _id }) => _id);
    const cancelled = { _id: mongoose.trusted({ $in: ids }), status: 'cancelled' };
    const options = { asSystem: 'recovery' } as object;
    if (ids.length > 0) await this.model(recovery).updateMany(cancelled as object, { $set: RELEASED }, options);
    await Promise.all(sessions.filter((each) => !isCancelled(each)).map((session) => this.finish(session)));
  }
}
