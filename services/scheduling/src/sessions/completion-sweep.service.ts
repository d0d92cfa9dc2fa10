import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, sessionCompleted } from '@swim/contracts';
import { LOGGER, systemCall } from '@swim/messaging';
import { Clock, type Logger, Sweep } from '@swim/platform';
import { nextStatus } from './session.rules.js';
import { SessionsRepository } from './sessions.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/** Completes each second the sessions that ended a while ago and that nobody has completed. */
@Injectable()
export class CompletionSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sweep = new Sweep('completion', SWEEP_MS, () => this.complete(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  private async complete(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      for (const { _id, schoolId } of await this.sessions.findUnfinished(env, this.clock.now(), BATCH)) {
        await this.sessions.change(systemCall(env, schoolId), _id, sessionCompleted, (now) => {
          const isDue = now.completeAt !== null && now.completeAt <= this.clock.now();
          return isDue && nextStatus(now.status, 'complete') ? { status: 'completed', completeAt: null } : null;
        });
      }
    }
  }
}
