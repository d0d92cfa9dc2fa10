import { Injectable } from '@nestjs/common';
import { type AccountClock, asSystem, Databases, dueBy, Repository } from '@swim/mongo';
import { Clock } from '@swim/platform';
import { type SessionDocument, sessionSchema } from '../storage/session.schema.js';

const REASON = 'reminders and completion are the work of the service itself';
const ownWork = asSystem(REASON);

/** The due times of sessions. What is due is changed in `SessionsRepository`. */
@Injectable()
export class DueSessionsRepository extends Repository<SessionDocument> {
  /** Sessions of which a reminder or the completion is due. */
  readonly due = this.work({ name: 'due sessions', due: 'nextDueAt', reason: REASON, now: () => this.clock.now() });

  constructor(
    databases: Databases,
    private readonly clock: Clock,
  ) {
    super(databases.collection('sessions', sessionSchema));
  }

  /** Sessions of an account of which a reminder or the completion is due at `now`; the first due first. */
  findDueOf(accountId: string, now: Date, limit: number): Promise<SessionDocument[]> {
    return this.findMany(ownWork, { readers: accountId, nextDueAt: dueBy(now) }, { nextDueAt: 1 }, limit);
  }

  /** A session, if it is due at `now`. */
  async findIfDue(id: string, now: Date): Promise<SessionDocument | null> {
    const session = await this.lookUp(ownWork, id);
    return session?.nextDueAt && session.nextDueAt <= now ? session : null;
  }

  /** Applies the clock of a test account to its sessions to come. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: { status: 'scheduled' }, dates: ['nextDueAt'] }, clock);
  }
}
