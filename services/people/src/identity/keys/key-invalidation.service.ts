import { Injectable } from '@nestjs/common';
import { EventPublisher } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { AppError, currentEnvironment } from '@swim/platform';
import { AccessRepository } from './access.repository.js';
import type { KeyDocument } from './key.schema.js';

/** Publishes key invalidations to the gateways: with the change itself, and by a sweep after a crash or an outage. */
@Injectable()
export class KeyInvalidationService {
  constructor(
    private readonly keys: AccessRepository,
    private readonly publisher: EventPublisher,
  ) {}

  /** Resolves when the stream has a key's latest invalidation, or there is none to publish; otherwise `unavailable`. */
  @WhenDue(({ keys }: KeyInvalidationService) => keys.unpublished)
  async publish(key: KeyDocument): Promise<void> {
    if (!key.unpublishedSince) return;
    try {
      await this.publisher.publishKeyInvalidation(currentEnvironment(), key.invalidations ?? 0, {
        keyId: key._id,
        revoked: key.revokedAt !== null,
      });
    } catch (error) {
      throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
    await this.keys.markPublished(key);
  }
}
