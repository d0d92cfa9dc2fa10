import { Inject, Injectable } from '@nestjs/common';
import { decidedAt, sessionCompleted } from '@swim/contracts';
import { type AccountClock, asSystem, WhenDue } from '@swim/mongo';
import { Clock, type Deadline, LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import { dueOf, nextDueOf } from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { completion, nextStatus } from '../storage/session-states.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { DueSessionsRepository } from './due-sessions.repository.js';

const BATCH = 100;
const RETRY_MS = 2_000;
// Time that an advance keeps to answer when its deadline does not permit to handle all.
const ENDING_MS = 2_000;

const positionOf = ({ nextDueAt }: SessionDocument, queue: SessionDocument[]): number => {
  const index = queue.findIndex((other) => other.nextDueAt! > nextDueAt!);
  return index === -1 ? queue.length : index;
};

/**
 * Sends the reminders that are due, and completes the sessions that ended a while ago and are still scheduled. A
 * reminder and the time of the next are one conditional write: on any number of replicas each is sent once.
 */
@Injectable()
export class DueSessionsService {
  constructor(
    private readonly due: DueSessionsRepository,
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Applies the clock of a test account to its sessions and handles those that are due, in order of their due times, until the
   * deadline is near; returns how many it handled. A session is due as often as its clock has passed a due time.
   */
  async applyClock(clock: AccountClock, deadline: Deadline): Promise<number> {
    await this.due.applyClock(clock);
    let handled = 0;
    const queue = await this.due.findDueOf(clock.accountId, this.clock.now(), BATCH);
    while (queue.length > 0 && deadline.remainingMs() > ENDING_MS) {
      const session = queue.shift()!;
      const isHandled = await this.tryHandle(session);
      if (!isHandled) continue;
      handled += 1;
      const again = await this.due.findIfDue(session._id, this.clock.now());
      if (again) queue.splice(positionOf(again, queue), 0, again);
    }
    return handled;
  }

  // The sweep retries what fails here.
  private async tryHandle(session: SessionDocument): Promise<boolean> {
    try {
      await this.handle(session);
      return true;
    } catch (error) {
      this.logger.error({ err: error, sessionId: session._id }, 'due session not handled yet');
      await this.due.due.postpone(session, RETRY_MS);
      return false;
    }
  }

  @WhenDue(({ due }: DueSessionsService) => due.due)
  async handle(session: SessionDocument): Promise<void> {
    const context = systemContext(session.schoolId);
    if (session.status !== 'scheduled') return this.stopRetrying(context, session);
    const due = dueOf(session, this.clock.now());
    if (due === 'completion') return this.complete(context, session);
    if (due === 'reminder') return this.remind(context, session);
    await this.sessions.changeInwardly(context, session._id, (now) => this.advanced(now, null));
  }

  private async complete(context: RequestContext, { _id }: SessionDocument): Promise<void> {
    // The school may no longer see it: a reset of its sandbox has detached it.
    const scope = asSystem('completion is the work of the service');
    const decide = (now: SessionDocument) => {
      const isDue = dueOf(now, this.clock.now()) === 'completion';
      return isDue && nextStatus(now.status, 'complete') ? completion(now) : null;
    };
    await this.sessions.change(context, _id, sessionCompleted, decide, scope);
  }

  private async remind(context: RequestContext, { _id }: SessionDocument): Promise<void> {
    await this.sessions.remind(context, _id, (now) => this.advanced(now, 'reminder'));
  }

  // The next due time of a scheduled session of which this is still what is due.
  private advanced(session: SessionDocument, due: 'reminder' | null): { nextDueAt: Date } | null {
    const now = this.clock.now();
    const isCurrent = session.status === 'scheduled' && session.nextDueAt !== null && session.nextDueAt <= now;
    return isCurrent && dueOf(session, now) === due
      ? { nextDueAt: nextDueOf(session, decidedAt(session.nextDueAt, session.clockOffsetMs, now)) }
      : null;
  }

  // Such a session was completed while it was moved, before the two excluded each other. Its published events cannot be
  // undone.
  private async stopRetrying(context: RequestContext, { _id, status, start }: SessionDocument): Promise<void> {
    if (start > this.clock.now())
      this.logger.error({ sessionId: _id, state: status }, 'completed, but its start is in the future');
    await this.sessions.changeInwardly(context, _id, (now) =>
      now.status === 'scheduled' || now.nextDueAt === null ? null : { nextDueAt: null },
    );
  }
}
