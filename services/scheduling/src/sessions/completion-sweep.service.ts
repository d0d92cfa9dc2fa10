import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment, sessionCompleted } from '@swim/contracts';
import { Periodic } from '@swim/messaging';
import { Clock, LOGGER, type Logger, type RequestContext, type Sweep, systemContext } from '@swim/platform';
import { completion, nextStatus } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;
const MOVING_MS = 2_000;

/** Each second completes the sessions that ended a while ago and are still scheduled. */
@Injectable()
export class CompletionSweep {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Periodic('completion', SWEEP_MS)
  async complete(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      await sweep.each(
        await this.sessions.findUnfinished(env, this.clock.now(), BATCH),
        (session) => this.completeOne(env, session),
        (session, delayMs) => this.postpone(env, session, delayMs),
      );
    }
  }

  private async completeOne(env: Environment, session: SessionDocument): Promise<void> {
    const context = systemContext(env, session.schoolId);
    if (session.status !== 'scheduled') return this.stopRetrying(context, session);
    const { document } = await this.sessions.change(context, session._id, sessionCompleted, (now) => {
      const isDue = now.completeAt !== null && now.completeAt <= this.clock.now();
      // A move comes first: once it is made, the session ends at another time.
      return isDue && nextStatus(now.status, 'complete') && !this.sessions.isMoving(now) ? completion(now) : null;
    });
    if (this.sessions.isMoving(document)) await this.postpone(env, document, MOVING_MS);
  }

  // Such a session was completed while it was moved, before the two excluded each other. Its published events cannot be
  // undone.
  private async stopRetrying(context: RequestContext, { _id, status, start }: SessionDocument): Promise<void> {
    if (start > this.clock.now())
      this.logger.error({ sessionId: _id, state: status }, 'completed, but its start is in the future');
    await this.sessions.changeInwardly(context, _id, (now) =>
      now.status === 'scheduled' || now.completeAt === null ? null : { completeAt: null },
    );
  }

  private postpone(env: Environment, session: SessionDocument, delayMs: number): Promise<void> {
    const until = new Date(this.clock.now().getTime() + delayMs);
    return this.sessions.postponeCompletion(env, session, until);
  }
}
