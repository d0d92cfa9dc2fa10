import { Injectable } from '@nestjs/common';
import { type ParsedOf, resetEvents } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AccountResets } from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import { EventsRepository } from '../events/events.repository.js';
import { PurgedAccountsRepository } from '../events/removed/purged-accounts.repository.js';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service.js';

/** Removes events and webhook endpoints of a test account that is reset. */
@Injectable()
export class AccountResetService {
  constructor(
    private readonly events: EventsRepository,
    private readonly purged: PurgedAccountsRepository,
    private readonly endpoints: WebhookEndpointsService,
    private readonly resets: AccountResets,
  ) {}

  /**
   * Takes the account's events from before an instant from its readers; the sequence goes on, and the purge removes them with
   * their retention. Returns whether nothing is left within the deadline. Idempotent.
   */
  @Serve(resetEvents)
  async reset(
    { accountId, before: text }: ParsedOf<typeof resetEvents>,
    { deadline }: RequestContext,
  ): Promise<{ done: boolean }> {
    const before = new Date(text);
    await this.endpoints.removeBefore(accountId, before);
    const through = await this.events.findLastBefore(accountId, before);
    if (through > 0) await this.purged.raise(accountId, through, before);
    return { done: await this.resets.empty({ accountId, before }, deadline) };
  }
}
