import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { type AccountClock, asSystem, Databases, dueBy, Repository } from '@swim/mongo';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

const ownWork = (env: Environment) => asSystem(env, 'reminders and completion are the work of the service itself');

/** The due times of sessions. What is due is changed in `SessionsRepository`. */
@Injectable()
export class DueSessionsRepository extends Repository<SessionDocument> {
  constructor(databases: Databases) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** Sessions of which a reminder or the completion is due at `now`; the first due first. */
  findDue(env: Environment, now: Date, limit: number): Promise<SessionDocument[]> {
    return this.findDueBy(ownWork(env), 'nextDueAt', now, limit);
  }

  /** The same of an account. */
  findDueOf(env: Environment, accountId: string, now: Date, limit: number): Promise<SessionDocument[]> {
    return this.findMany(ownWork(env), { readers: accountId, nextDueAt: dueBy(now) }, { nextDueAt: 1 }, limit);
  }

  /** A session, if it is due at `now`. */
  async findIfDue(env: Environment, id: string, now: Date): Promise<SessionDocument | null> {
    const session = await this.lookUp(ownWork(env), id);
    return session?.nextDueAt && session.nextDueAt <= now ? session : null;
  }

  /** Applies the clock of a test account to its sessions to come. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: { status: 'scheduled' }, dates: ['nextDueAt'] }, clock);
  }

  /** Postpones what is due of a session, unless its due time has changed since. */
  async postpone(env: Environment, { _id, nextDueAt }: SessionDocument, until: Date): Promise<void> {
    await this.update(ownWork(env), { _id, nextDueAt }, { $set: { nextDueAt: until } });
  }
}
