import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { LOGGER } from '@swim/messaging';
import { Clock, type Logger, Sweep } from '@swim/platform';
import { config } from '../config.js';
import { retentionStart } from './event.rules.js';
import { EventsRepository } from './events.repository.js';
import { PassedObjectsRepository } from './passed-objects.repository.js';

const BATCH = 500;

/**
 * Removes what is past its retention. Always the lowest sequences of an account, so that those left have no gap among them,
 * and never its newest event, which the next sequence is counted from. Replicas may do it side by side.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sweep = new Sweep('retention', config.PURGE_INTERVAL_SECONDS * 1_000, () => this.purgeAll(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }

  private async purgeAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const count = await this.purge(env, retentionStart(this.clock.now(), config.EVENT_RETENTION_DAYS));
      if (count > 0) this.logger.info({ env, count }, 'events past their retention removed');
    }
  }

  private async purge(env: Environment, start: Date): Promise<number> {
    let count = 0;
    let oldest = await this.events.findOldestOfNextAccount(env, '');
    while (oldest) {
      if (oldest.timestamp < start) count += await this.purgeAccount(env, oldest.account, start);
      oldest = await this.events.findOldestOfNextAccount(env, oldest.account);
    }
    return count;
  }

  private async purgeAccount(env: Environment, account: string, start: Date): Promise<number> {
    const newest = await this.events.findLastSequence(env, account);
    const keepFrom = (await this.events.findFirstSince(env, account, start)) ?? newest;
    let count = 0;
    for (;;) {
      const old = await this.events.findBelow(env, account, keepFrom, BATCH);
      if (old.length === 0) return count;
      // First the mark: the object's next event must not wait for one that is gone.
      await this.passed.mark(env, old);
      count += await this.events.removeThrough(env, account, old.at(-1)!.sequence);
    }
  }
}
