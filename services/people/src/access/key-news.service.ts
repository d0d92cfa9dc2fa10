import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { EventPublisher, LOGGER } from '@swim/messaging';
import { AppError, type Logger, Sweep } from '@swim/platform';
import { AccessRepository } from './access.repository.js';
import type { KeyDocument } from './key.schema.js';

const SWEEP_MS = 1_000;
const GRACE_MS = 2_000;

/** Tells the gateways of changes of keys: with the change itself, and by a sweep what a crash or an outage left. */
@Injectable()
export class KeyNewsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweep: Sweep;

  constructor(
    private readonly keys: AccessRepository,
    private readonly publisher: EventPublisher,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.sweep = new Sweep('key news', SWEEP_MS, () => this.tellAll(), logger);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }

  /** Resolves when the stream has the latest news of a key; `unavailable` when that is not known. Nothing to tell is told. */
  async tell(env: Environment, key: KeyDocument): Promise<void> {
    if (!key.untoldSince) return;
    try {
      await this.publisher.publishKeyNews(env, key.newsCount ?? 0, { keyId: key._id, revoked: key.revokedAt !== null });
    } catch (error) {
      throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
    await this.keys.markTold(env, key);
  }

  private async tellAll(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const before = new Date(this.keys.now().getTime() - GRACE_MS);
      for (const key of await this.keys.findUntold(env, before)) await this.tell(env, key);
    }
  }
}
