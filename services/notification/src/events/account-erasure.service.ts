import { Injectable } from '@nestjs/common';
import { AccountRemains, hasTimeFor } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { EventsRepository } from './events.repository.js';
import { PassedObjectsRepository } from './passed-objects.repository.js';
import { NO_MORE, PurgedAccountsRepository } from './purged-accounts.repository.js';

const BATCH = 500;

/** What becomes of the events of an account that is erased. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly purged: PurgedAccountsRepository,
    private readonly remains: AccountRemains,
  ) {}

  /** As much as fits into the deadline; whether nothing is left. From its first call on no event is stored for the account. */
  async erase(accountId: string, context: RequestContext): Promise<boolean> {
    const { env } = context.principal;
    // Whoever stores one now looks here afterwards, and takes it back.
    await this.purged.raise(env, accountId, NO_MORE);
    for (;;) {
      if (!hasTimeFor(context.deadline)) return false;
      const own = await this.events.findBelow(env, accountId, NO_MORE, BATCH);
      if (own.length === 0) break;
      // First the mark: the object's next event, which other accounts may get, must not wait for one that is gone.
      await this.passed.mark(env, own);
      await this.events.removeThrough(env, accountId, own.at(-1)!.sequence);
    }
    return this.remains.erase(env, accountId, context.deadline);
  }
}
