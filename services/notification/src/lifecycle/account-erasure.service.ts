import { Injectable } from '@nestjs/common';
import { eraseEventsOfAccount, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountRemains, hasTimeFor } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { EventsRepository } from '../events/events.repository.js';
import { PassedObjectsRepository } from '../events/removed/passed-objects.repository.js';
import { NO_MORE, PurgedAccountsRepository } from '../events/removed/purged-accounts.repository.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';

const BATCH = 500;

/** Erases the events and webhook endpoints of an account. */
@Injectable()
export class AccountErasureService {
  constructor(
    private readonly events: EventsRepository,
    private readonly passed: PassedObjectsRepository,
    private readonly purged: PurgedAccountsRepository,
    private readonly remains: AccountRemains,
    private readonly endpoints: WebhookEndpointsService,
  ) {}

  /**
   * Erases as much as the deadline permits; returns whether nothing is left. From the first call on the account has no events
   * for readers; once nothing is left, none is stored for it.
   */
  @Serve(eraseEventsOfAccount)
  async erase(
    { accountId }: ParsedOf<typeof eraseEventsOfAccount>,
    context: RequestContext,
  ): Promise<{ done: boolean }> {
    // Whatever is stored after it is retracted.
    await this.purged.raise(accountId, NO_MORE, new Date(0));
    // Before the events: what is erased is sent nowhere.
    await this.endpoints.eraseOf(accountId);
    if (!(await this.removeAll(accountId, context))) return { done: false };
    // Replicas store events until they know the mark, and remove those that they stored later.
    await this.purged.grace();
    if (!(await this.removeAll(accountId, context))) return { done: false };
    return { done: await this.remains.erase(accountId, context.deadline) };
  }

  private async removeAll(accountId: string, context: RequestContext): Promise<boolean> {
    for (;;) {
      if (!hasTimeFor(context.deadline)) return false;
      const own = await this.events.findBelow(accountId, NO_MORE, BATCH);
      if (own.length === 0) return true;
      const paymentIds = own.filter(({ type }) => type.startsWith('payment.')).map(({ objectId }) => objectId);
      await this.events.clearMetadata([...new Set(paymentIds)]);
      // Marks first: the object's next event, which other accounts may get, must not wait for a removed one.
      await this.passed.mark(own);
      await this.events.removeThrough(accountId, own.at(-1)!.sequence);
    }
  }
}
