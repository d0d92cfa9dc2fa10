import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { KeyEndsService } from '../access/key-ends.service.js';
import { AccountLifeService } from '../accounts/account-life.service.js';
import { PrivacyService } from '../privacy/privacy.service.js';

/** The first and the last that an erasure does: nobody acts for the account any more, and then there is nothing of it. */
@Injectable()
export class AccountEnd {
  constructor(
    private readonly keys: KeyEndsService,
    private readonly privacy: PrivacyService,
    private readonly life: AccountLifeService,
  ) {}

  /** Revokes the account's keys; resolves when the invalidations are published. Safe to repeat. */
  endKeys(env: Environment, accountId: string): Promise<void> {
    return this.keys.endAll(env, accountId);
  }

  /** Destroys the key of the account's data, and empties the account. Safe to repeat. */
  async empty(env: Environment, accountId: string): Promise<void> {
    await this.privacy.forgetAccount(env, accountId);
    await this.life.empty(env, accountId);
  }
}
