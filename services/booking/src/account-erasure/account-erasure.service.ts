import { Injectable } from '@nestjs/common';
import { AccountRemains, DataKeys } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';

/** What becomes of the bookings of an account that is erased: they stay, and what was written about them goes. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly keys: DataKeys,
    private readonly remains: AccountRemains,
  ) {}

  /**
   * As much as fits into the deadline; whether nothing is left. First the key of its notes: from then on none is kept, and
   * those in backups open no more. Safe to repeat.
   */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    await this.keys.destroy(env, accountId);
    return this.remains.erase(env, accountId, context.deadline);
  }
}
