import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { KeyEndsService } from '../access/key-ends.service.js';
import { AccountLifeService } from '../accounts/account-life.service.js';
import { PrivacyService } from '../privacy/privacy.service.js';

/** The first and the last step of an erasure: revokes the account's keys, and removes the account. */
@Injectable()
export class AccountEnd {
  constructor(
    private readonly keys: KeyEndsService,
    private readonly privacy: PrivacyService,
    private readonly life: AccountLifeService,
  ) {}

  /** Revokes the account's keys; resolves when the invalidations are published. Idempotent. */
  endKeys(env: Environment, accountId: string): Promise<void> {
    return this.keys.endAll(env, accountId);
  }

  /** Destroys the key of the account's data, and removes the account's personal data. Idempotent. */
  async empty(env: Environment, accountId: string): Promise<void> {
    await this.privacy.forgetAccount(env, accountId);
    await this.life.empty(env, accountId);
  }
}
