import { Controller } from '@nestjs/common';
import {
  changeSubscription,
  type EndedSubscription,
  listMessages,
  listOwnEndedSubscriptions,
  type Message,
  type Page,
  type ParsedOf,
  sendEmailConfirmation,
  sendUserLink,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, inEnvironment, type RequestContext } from '@swim/platform';
import { toMessage } from './message.mapper.js';
import { MessagesRepository } from './messages.repository.js';
import { NewMessagesService } from './new-messages.service.js';
import { PublicLinksService } from './public-links.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

@Controller()
export class MessagesController {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly fresh: NewMessagesService,
    private readonly links: PublicLinksService,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  @Serve(listMessages)
  async list(query: ParsedOf<typeof listMessages>, context: RequestContext): Promise<Page<Message>> {
    if (query.account_id !== context.principal.accountId)
      throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.messages.list(context, query);
    return { items: items.map(toMessage), pagination };
  }

  @Serve(listOwnEndedSubscriptions)
  async listEnded(
    _: ParsedOf<typeof listOwnEndedSubscriptions>,
    context: RequestContext,
  ): Promise<Page<EndedSubscription>> {
    // All at once: an account has few kinds and few addresses.
    const items = await this.subscriptions.listEnded(context.principal);
    return { items, pagination: { has_more: false, next_cursor: null, total: items.length } };
  }

  @Serve(sendEmailConfirmation)
  async sendConfirmation({
    accountId,
    instructorId,
    confirmationId,
  }: ParsedOf<typeof sendEmailConfirmation>): Promise<Record<string, never>> {
    await this.fresh.storeConfirmation({ accountId, instructorId }, confirmationId);
    return {};
  }

  @Serve(sendUserLink)
  async sendUserLink({ accountId, linkId }: ParsedOf<typeof sendUserLink>): Promise<Record<string, never>> {
    await this.fresh.storeUserLink(accountId, linkId);
    return {};
  }

  @Serve(changeSubscription)
  async changeSubscription({ token, subscribed }: ParsedOf<typeof changeSubscription>): Promise<Record<string, never>> {
    const named = this.links.readUnsubscribe(token);
    if (!named) throw new AppError('resource_not_found');
    await inEnvironment(named.env, () => this.subscriptions[subscribed ? 'resume' : 'end'](named.subscription));
    return {};
  }
}
