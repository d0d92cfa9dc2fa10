import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ClosureMessagesService } from './closures/closure-messages.service.js';
import { DoneClosuresRepository } from './closures/done-closures.repository.js';
import { SmtpTransport } from './mail/smtp.adapter.js';
import { MessageWorkerService } from './message-worker.service.js';
import { MessagesController } from './messages.controller.js';
import { MessagesRepository } from './messages.repository.js';
import { NewMessagesService } from './new-messages.service.js';
import { PublicLinksService } from './public-links.service.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { CurrentContentService } from './writing/current-content.service.js';
import { MessageComposerService } from './writing/message-composer.service.js';

/** E-mails about events: storing, writing, sending, and ending them. */
@Module({
  imports: [EventsModule],
  controllers: [MessagesController],
  providers: [
    NewMessagesService,
    ClosureMessagesService,
    DoneClosuresRepository,
    MessageWorkerService,
    MessageComposerService,
    CurrentContentService,
    MessagesRepository,
    SubscriptionsRepository,
    PublicLinksService,
    SmtpTransport,
  ],
})
export class MessagesModule {}
