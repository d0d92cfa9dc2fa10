import { Controller } from '@nestjs/common';
import {
  changeSubscription,
  listMessages,
  type Message,
  type Page,
  type ParsedOf,
  sendEmailConfirmation,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
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

  @Serve(sendEmailConfirmation)
  async sendConfirmation(
    { accountId, confirmationId }: ParsedOf<typeof sendEmailConfirmation>,
    { principal }: RequestContext,
  ): Promise<Record<string, never>> {
    await this.fresh.storeConfirmation(principal.env, accountId, confirmationId);
    return {};
  }

  @Serve(changeSubscription)
  async changeSubscription({ token, subscribed }: ParsedOf<typeof changeSubscription>): Promise<Record<string, never>> {
    const named = this.links.readUnsubscribe(token);
    if (!named) throw new AppError('resource_not_found');
    await this.subscriptions[subscribed ? 'resume' : 'end'](named.env, named.subscription);
    return {};
  }
}
