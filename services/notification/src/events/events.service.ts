import { Injectable } from '@nestjs/common';
import {
  type AccountEvent,
  getEvent,
  listEvents,
  type OutputOf,
  type Page,
  type ParsedOf,
  readEvents,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { toAccountEvent } from './event.mapper.js';
import { EventsRepository } from './events.repository.js';
import { PurgedAccountsRepository } from './removed/purged-accounts.repository.js';

/** Lists and shows an account's events. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly purged: PurgedAccountsRepository,
  ) {}

  /** The account's events (contract, Events and webhooks). */
  @Serve(listEvents)
  async list(query: ParsedOf<typeof listEvents>, context: RequestContext): Promise<Page<AccountEvent>> {
    const { env, accountId } = context.principal;
    const through = await this.purged.findThrough(accountId);
    const page = await this.events.list({ env, accountId }, query, through);
    return { ...page, items: page.items.map((document) => toAccountEvent(document, env)) };
  }

  /** The account's first events after a sequence, oldest first. */
  @Serve(readEvents)
  async readAfter(
    { afterSequence: sequence }: ParsedOf<typeof readEvents>,
    { principal: { env, accountId } }: RequestContext,
  ): Promise<OutputOf<typeof readEvents>> {
    const through = await this.purged.findThrough(accountId);
    const { items, hasMore } = await this.events.findAfter({ env, accountId }, Math.max(sequence, through));
    return { events: items.map((document) => toAccountEvent(document, env)), hasMore };
  }

  /** One of the account's events. */
  @Serve(getEvent)
  async get(
    { event_id: id }: ParsedOf<typeof getEvent>,
    { principal: { env, accountId } }: RequestContext,
  ): Promise<AccountEvent> {
    const through = await this.purged.findThrough(accountId);
    const event = await this.events.find({ env, accountId }, id, through);
    if (!event) throw new AppError('resource_not_found');
    return toAccountEvent(event, env);
  }
}
