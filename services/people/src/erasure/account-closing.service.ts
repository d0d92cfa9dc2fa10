import { Injectable } from '@nestjs/common';
import type { Account, Environment, eraseAccount, OutputOf, ParsedOf, restoreAccount } from '@swim/contracts';
import { Clock, type RequestContext, type Sweep } from '@swim/platform';
import { KeyEndsService } from '../access/key-ends.service.js';
import { AccountLifeService } from '../accounts/account-life.service.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Closes and restores accounts at their owner's request: a live one can be restored for seven days. */
@Injectable()
export class AccountClosingService {
  constructor(
    private readonly life: AccountLifeService,
    private readonly erasures: ErasuresRepository,
    private readonly keys: KeyEndsService,
    private readonly clock: Clock,
  ) {}

  async erase(
    { account_id: id }: ParsedOf<typeof eraseAccount>,
    context: RequestContext,
  ): Promise<OutputOf<typeof eraseAccount>> {
    const { env } = context.principal;
    const requested = await this.life.endOf(id, context);
    if (context.dryRun) return { erases_at: requested.toISOString() };
    if (env === 'live') {
      const erasesAt = await this.life.close(id, context);
      // After the response every gateway treats the account as read-only.
      await this.keys.announceAll(env, id);
      return { erases_at: erasesAt.toISOString() };
    }
    await this.life.beginErasing(env, id);
    await this.erasures.begin(env, id, this.clock.now());
    await this.keys.endAll(env, id);
    return { erases_at: requested.toISOString() };
  }

  async restore({ account_id: id }: ParsedOf<typeof restoreAccount>, context: RequestContext): Promise<Account> {
    const account = await this.life.reopen(id, context);
    if (!context.dryRun) await this.keys.announceAll(context.principal.env, id);
    return account;
  }

  /**
   * Begins the erasure of accounts whose period for a restore is over, and of those whose beginning a crash interrupted. One
   * that fails does not stop the others, and is retried by the next sweep.
   */
  async beginDue(env: Environment, sweep: Sweep): Promise<void> {
    await sweep.each(await this.life.findEnding(env), async (account) => {
      if (await this.life.beginDueErasing(env, account)) await this.erasures.begin(env, account._id, this.clock.now());
    });
  }
}
