import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  CALENDAR_PRODUCT,
  describePlaces,
  describeRecipients,
  issueEmailConfirmation,
  issueUserLink,
  type LessonPlace,
  type MessageKind,
  MOST_LESSONS_OF_MESSAGE,
  MOST_RECIPIENTS,
  type Recipient,
} from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { currentEnvironment, systemContext } from '@swim/platform';
import { toICalendar } from '@swim/platform/icalendar';
import { type Invitation, type Mail, SmtpTransport } from '../mail/smtp.adapter.js';
import type { MessageContent, MessageDocument } from '../message.schema.js';
import { addressName, PublicLinksService } from '../public-links.service.js';
import { type Subscription, SubscriptionsRepository } from '../subscriptions.repository.js';
import { CurrentContentService } from './current-content.service.js';
import { bodyOf } from './message-body.js';
import { confirmationText, lessonTitle, placeOf, type Reader, textOf, userLinkText } from './message-text.js';
import { TEXTS } from './texts/texts.js';

const MOST_NAMES = 100;

/** What is known of a batch before its messages are written. */
interface Facts {
  recipient: Recipient | null;
  isEnded: (subscription: Subscription) => boolean;
  now: Date;
}

/** A message that can be sent, the reason why not, or why it could not be written. */
export type Composed = { mail: Mail } | { reason: NonNullable<MessageDocument['reason']> } | { error: unknown };

/** Makes mails of messages: requests addresses and names of people as they are now, and writes the texts. */
@Injectable()
export class MessageComposerService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly contents: CurrentContentService,
    private readonly links: PublicLinksService,
    private readonly transport: SmtpTransport,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /** The mails of messages, in their order. Of at most MOST_RECIPIENTS. One that cannot be written stops no other. */
  async composeAll(messages: readonly MessageDocument[], now: Date): Promise<Composed[]> {
    const recipients = await this.recipientsOf(messages);
    const isEnded = await this.subscriptions.findEnded([...new Set(messages.map(({ accountId }) => accountId))]);
    const composed: Composed[] = [];
    for (const [index, message] of messages.entries()) {
      const facts = { recipient: recipients[index] ?? null, isEnded, now };
      composed.push(await this.composeOne(message, facts).catch((error: unknown) => ({ error })));
      // The requests of this process get their turn after each mail.
      await setImmediate();
    }
    return composed;
  }

  private async composeOne(message: MessageDocument, { recipient, isEnded, now }: Facts): Promise<Composed> {
    const { accountId, kind, content } = message;
    if (content.about === 'address') return this.composeConfirmation(message, content.confirmationId);
    if (content.about === 'user') return this.composeUserLink(message, content.linkId);
    if (!recipient) return { reason: 'account_erased' };
    const current = await this.contents.find(message, now);
    if (!current) return { reason: 'out_of_date' };
    const { email } = recipient;
    if (recipient.isAccounts && 'isAccountTold' in current && current.isAccountTold) return { reason: 'same_address' };
    if (email === null) return { reason: 'address_unconfirmed' };
    if (kind === 'user_link') throw new Error('A message of this kind is no mail about lessons.');
    if (isEnded({ accountId, kind, address: addressName(accountId, email) })) return { reason: 'unsubscribed' };
    const places = await this.placesOf(accountId, current);
    return { mail: this.compose({ ...message, kind, content: current }, { ...recipient, email, places }) };
  }

  private async placesOf(accountId: string, content: MessageContent): Promise<LessonPlace[]> {
    const context = systemContext(accountId);
    if (content.about === 'offer')
      return this.rpc.call(describePlaces, { sessionIds: [], holdId: content.holdId }, context);
    if (content.about !== 'lessons') return [];
    const sessionIds = content.lessons.map(({ sessionId }) => sessionId);
    const places: LessonPlace[] = [];
    for (let from = 0; from < sessionIds.length; from += MOST_LESSONS_OF_MESSAGE) {
      const some = sessionIds.slice(from, from + MOST_LESSONS_OF_MESSAGE);
      places.push(...(await this.rpc.call(describePlaces, { sessionIds: some }, context)));
    }
    return places;
  }

  private recipientsOf(messages: readonly MessageDocument[]): Promise<(Recipient | null)[]> {
    if (messages.length > MOST_RECIPIENTS)
      throw new Error(`At most ${MOST_RECIPIENTS} messages are written at a time.`);
    const recipients = messages.map(({ accountId, instructorId: recipientId, content }) => ({
      accountId,
      ...(recipientId === undefined ? {} : { recipientId }),
      ...namedIn(content),
    }));
    return this.rpc.call(describeRecipients, { recipients }, systemContext(''));
  }

  private compose(message: MessageDocument & { kind: MessageKind }, recipient: Reader & { email: string }): Mail {
    const { _id, accountId, kind, content } = message;
    const { email, locale } = recipient;
    const text = textOf(kind, content, recipient);
    const unsubscribeUrl = this.links.unsubscribeUrl(accountId, { kind, email, locale });
    return {
      messageId: this.messageIdOf(_id),
      to: email,
      subject: text.subject,
      ...bodyOf(text, locale, { label: TEXTS[locale].unsubscribe, url: unsubscribeUrl }),
      invitation: this.invitationOf(message, recipient),
      unsubscribeUrl,
    };
  }

  private async composeConfirmation(
    { _id, accountId, instructorId }: MessageDocument,
    confirmationId: string,
  ): Promise<Composed> {
    const issued = await this.rpc.call(
      issueEmailConfirmation,
      { accountId, confirmationId, ...(instructorId === undefined ? {} : { instructorId }) },
      systemContext(accountId),
    );
    if (!issued) return { reason: 'out_of_date' };
    const { email, token, locale, schoolName } = issued;
    const text = confirmationText(locale, this.links.confirmationUrl(token, locale), schoolName);
    const messageId = this.messageIdOf(_id);
    const mail = { messageId, to: email, subject: text.subject, ...bodyOf(text, locale, null) };
    return { mail: { ...mail, invitation: null, unsubscribeUrl: null } };
  }

  private async composeUserLink({ _id, accountId }: MessageDocument, linkId: string): Promise<Composed> {
    const issued = await this.rpc.call(issueUserLink, { linkId }, systemContext(accountId));
    if (!issued) return { reason: 'out_of_date' };
    const { email, locale } = issued;
    const text = userLinkText(issued, this.links.dashboardUrl(issued.purpose, issued.token));
    const mail = { messageId: this.messageIdOf(_id), to: email, subject: text.subject };
    return { mail: { ...mail, ...bodyOf(text, locale, null), invitation: null, unsubscribeUrl: null } };
  }

  // The same on each try: mail programs show a repeated mail once.
  private messageIdOf(id: string): string {
    return `<${id}.${currentEnvironment()}@${this.transport.sender.split('@').at(-1)}>`;
  }

  /** The lessons as a calendar object: an invitation of one, a publication of several (RFC 5546 section 3.2). */
  private invitationOf(
    { kind, content, createdAt }: MessageDocument,
    recipient: Reader & { email: string },
  ): Invitation | null {
    if (content.about !== 'lessons' || kind === 'reminder') return null;
    const isCancelled = kind === 'cancelled' || content.handOver === 'from';
    const method = content.lessons.length > 1 ? 'PUBLISH' : isCancelled ? 'CANCEL' : 'REQUEST';
    const entries = content.lessons.map((lesson) => ({
      uid: lesson.sessionId,
      sequence: lesson.sequence,
      startMs: Date.parse(lesson.date),
      endMs: Date.parse(lesson.endDate),
      changedAtMs: createdAt.getTime(),
      summary: lessonTitle(lesson, recipient),
      location: placeOf(lesson.sessionId, recipient) ?? undefined,
      isCancelled,
      organizer: this.transport.sender,
      ...(method === 'PUBLISH' ? {} : { attendee: recipient.email }),
    }));
    return { method, content: toICalendar({ product: CALENDAR_PRODUCT, method, entries }) };
  }
}

/** The ids whose names a message contains. */
function namedIn(content: MessageContent): { memberIds: string[]; instructorIds: string[] } {
  switch (content.about) {
    case 'lessons':
      return distinctIn(content.lessons);
    case 'offer':
      return distinctIn([content]);
    case 'payment':
    case 'endpoint':
    case 'address':
    case 'user':
      return distinctIn([]);
  }
}

const distinctIn = (named: readonly { memberId: string; instructorId: string }[]) => ({
  memberIds: [...new Set(named.map(({ memberId }) => memberId))].slice(0, MOST_NAMES),
  instructorIds: [...new Set(named.map(({ instructorId }) => instructorId))].slice(0, MOST_NAMES),
});
