import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { EventPublisher, Periodic } from '@swim/messaging';
import { AppError, type Sweep } from '@swim/platform';
import { AccessRepository } from './access.repository.js';
import type { KeyDocument } from './key.schema.js';

const SWEEP_MS = 1_000;
const GRACE_MS = 2_000;

/** Publishes key invalidations to the gateways: with the change itself, and by a sweep after a crash or an outage. */
@Injectable()
export class KeyInvalidationService {
  constructor(
    private readonly keys: AccessRepository,
    private readonly publisher: EventPublisher,
  ) {}

  /** Resolves when the stream has a key's latest invalidation, or there is none to publish; otherwise `unavailable`. */
  async publish(env: Environment, key: KeyDocument): Promise<void> {
    if (!key.unpublishedSince) return;
    try {
      await this.publisher.publishKeyInvalidation(env, key.invalidations ?? 0, {
        keyId: key._id,
        revoked: key.revokedAt !== null,
      });
    } catch (error) {
      throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
    await this.keys.markPublished(env, key);
  }

  @Periodic('key invalidations', SWEEP_MS)
  async publishAll(sweep: Sweep): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const before = new Date(this.keys.now().getTime() - GRACE_MS);
      await sweep.each(
        await this.keys.findUnpublished(env, before),
        (key) => this.publish(env, key),
        (key, delayMs) => this.keys.postponeInvalidation(env, key, delayMs),
      );
    }
  }
}
