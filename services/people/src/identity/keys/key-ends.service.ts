import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
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
  async announceAll(env: Environment, accountId: string): Promise<void> {
    await this.change(env, accountId, {});
    await this.sessions.changeAllOf(accountId, 'announce');
  }

  /**
   * Revokes the account's keys, and with those of live the sessions of its users; resolves when the invalidations are published.
   * Idempotent.
   */
  async endAll(env: Environment, accountId: string): Promise<void> {
    await this.change(env, accountId, { revokedAt: this.keys.now() });
    await this.sessions.changeAllOf(accountId, env === 'live' ? 'end' : 'announce');
  }

  private async change(env: Environment, accountId: string, set: { revokedAt?: Date }): Promise<void> {
    for (const { _id } of await this.keys.findUnrevoked(env, accountId)) await this.keys.markEach(env, _id, set);
    for (const key of await this.keys.findUnpublishedOf(env, accountId)) await this.invalidations.publish(env, key);
  }
}
