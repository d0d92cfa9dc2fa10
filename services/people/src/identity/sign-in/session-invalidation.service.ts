import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { EventPublisher } from '@swim/messaging';
import { WhenDue } from '@swim/mongo';
import { AppError } from '@swim/platform';
import type { UserSessionDocument } from './user-session.schema.js';
import { UserSessionsRepository } from './user-sessions.repository.js';

/**
 * Publishes to the gateways that sessions have changed or ended, in the stream of key invalidations of both environments: with
 * the change itself, and by a sweep after a crash or an outage.
 */
@Injectable()
export class SessionInvalidation {
  constructor(
    private readonly sessions: UserSessionsRepository,
    private readonly publisher: EventPublisher,
  ) {}

  /** Ends a session; resolves when the gateways' streams have it. False when it was ended before. */
  async end(sessionId: string): Promise<boolean> {
    const isEnded = await this.sessions.invalidate(sessionId, true);
    await this.publishOf(sessionId);
    return isEnded;
  }

  /** Has the gateways verify a session again. */
  async announce(sessionId: string): Promise<void> {
    await this.sessions.invalidate(sessionId, false);
    await this.publishOf(sessionId);
  }

  private async publishOf(sessionId: string): Promise<void> {
    const session = await this.sessions.find(sessionId);
    if (session) await this.publish(session);
  }

  @WhenDue(({ sessions }: SessionInvalidation) => sessions.unpublished)
  async publish(session: UserSessionDocument): Promise<void> {
    const { _id: keyId, invalidations, unpublishedSince, revokedAt } = session;
    if (!unpublishedSince) return;
    const invalidation = { keyId, revoked: revokedAt !== null };
    try {
      await Promise.all(
        ENVIRONMENTS.map((env) => this.publisher.publishKeyInvalidation(env, invalidations, invalidation)),
      );
    } catch (error) {
      throw new AppError('unavailable', { retryAfterSeconds: 1, cause: error });
    }
    await this.sessions.markPublished(session);
  }
}
