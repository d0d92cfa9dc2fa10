import { Injectable } from '@nestjs/common';
import { currentEnvironment } from '@swim/platform';
import { UserSessionsService } from '../sign-in/user-sessions.service.js';
import { AccessRepository } from './access.repository.js';
import { KeyInvalidationService } from './key-invalidation.service.js';

/** Ends all keys of an account at once, and what its users may do. */
@Injectable()
export class KeyEndsService {
  constructor(
    private readonly keys: AccessRepository,
    private readonly invalidations: KeyInvalidationService,
    private readonly sessions: UserSessionsService,
  ) {}

  /**
   * Invalidates the cached verdicts on the account's keys and its users' sessions; resolves when the invalidations are published.
   */
  async announceAll(accountId: string): Promise<void> {
    await this.change(accountId, {});
    await this.sessions.changeAllOf(accountId, 'announce');
  }

  /**
   * Revokes the account's keys, and with those of live the sessions of its users; resolves when the invalidations are published.
   * Idempotent.
   */
  async endAll(accountId: string): Promise<void> {
    await this.change(accountId, { revokedAt: this.keys.now() });
    await this.sessions.changeAllOf(accountId, currentEnvironment() === 'live' ? 'end' : 'announce');
  }

  private async change(accountId: string, set: { revokedAt?: Date }): Promise<void> {
    for (const { _id } of await this.keys.findUnrevoked(accountId)) await this.keys.markEach(_id, set);
    for (const key of await this.keys.findUnpublishedOf(accountId)) await this.invalidations.publish(key);
  }
}
