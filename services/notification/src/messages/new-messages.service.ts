import { Injectable, type OnModuleInit } from '@nestjs/common';
import { counter, derivedId, sharedClock } from '@swim/platform';
import { type AnnouncedEvent, StoredEventsService } from '../events/stored-events.service.js';
import { SmtpTransport } from './mail/smtp.adapter.js';
import type { MessageDocument } from './message.schema.js';
import { MessagesRepository } from './messages.repository.js';
import { NOTICE_WITHIN_MS, NOTICED_TYPES, type Notice, noticesOf } from './notice.rules.js';

/**
 * E-mails by outcome of a try, or of the decision against one: `sent`, `retried`, `bounced`, `failed`, `skipped`, `not_configured`.
 */
export const messagesTotal = counter({
  name: 'swim_messages_total',
  help: 'E-mails by outcome',
  labelNames: ['outcome'],
});

const TRIES = 5;
const STORED_AT_ONCE = 20;

/** Stores the messages about events before these are acknowledged: one for each account and event, or group of events. */
@Injectable()
export class NewMessagesService implements OnModuleInit {
  constructor(
    private readonly events: StoredEventsService,
    private readonly messages: MessagesRepository,
    private readonly transport: SmtpTransport,
  ) {}

  onModuleInit(): void {
    this.events.listen((events) => this.store(events));
  }

  /** Stores the message by which an address of an account, or of its instructor, is confirmed. Idempotent. */
  async storeConfirmation(
    { accountId, instructorId }: { accountId: string; instructorId?: string | undefined },
    confirmationId: string,
  ): Promise<void> {
    const notice: Notice = {
      kind: 'email_confirmation',
      content: { about: 'address', confirmationId },
      group: null,
      gatheredMs: 0,
      ...(instructorId === undefined ? {} : { instructorId }),
    };
    if (this.isSent()) await this.messages.insert(messageOf(accountId, confirmationId, notice, []));
  }

  /** Stores the message with a link for a user of the dashboard. Idempotent. */
  async storeUserLink(accountId: string, linkId: string): Promise<void> {
    const notice = { kind: 'user_link', content: { about: 'user', linkId }, group: null, gatheredMs: 0 } as const;
    const message: MessageDocument = { ...messageOf(accountId, linkId, notice, []), readers: [] };
    if (this.isSent()) await this.messages.insert(message);
  }

  /** Stores messages about a source, whose ids follow from it. Idempotent. */
  async storeAbout(source: string, notices: readonly (Notice & { accountId: string })[]): Promise<void> {
    if (notices.length === 0 || !this.isSent(notices.length)) return;
    const drafts = notices.map((each) => messageOf(each.accountId, source, each, []));
    for (let from = 0; from < drafts.length; from += STORED_AT_ONCE)
      await Promise.all(drafts.slice(from, from + STORED_AT_ONCE).map((draft) => this.messages.insert(draft)));
  }

  private async store(stored: readonly AnnouncedEvent[]): Promise<void> {
    const since = sharedClock.nowMs() - NOTICE_WITHIN_MS;
    const recent = stored
      .filter(({ type, isQuiet }) => NOTICED_TYPES.has(type) && !isQuiet)
      .filter(({ occurredAt }) => occurredAt.getTime() > since)
      .map((event) => ({ ...event.read(), isOnly: event.isOnly }));
    const drafts = recent.flatMap((event) =>
      noticesOf(event).map((notice) => messageOf(event.account_id, event.id, notice, [event.id])),
    );
    if (drafts.length === 0 || !this.isSent(drafts.length)) return;
    const isKnown = await this.messages.findNoticed(drafts.flatMap(({ eventIds }) => eventIds));
    const fresh = drafts.filter((draft) => !isKnown(draft));
    await Promise.all(fresh.filter(({ group }) => group === undefined).map((draft) => this.messages.insert(draft)));
    // One after another: those of a group are added to the first.
    for (const draft of fresh.filter(({ group }) => group !== undefined)) await this.gather(draft);
  }

  private async gather(draft: MessageDocument): Promise<void> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if ((await this.messages.append(draft)) || (await this.messages.insert(draft))) return;
      // Another replica has stored or claimed the group's message meanwhile.
      if ((await this.messages.findNoticed(draft.eventIds))(draft)) return;
    }
    throw new Error(`The group of message ${draft._id} changes too often.`);
  }

  /** Whether messages are sent at all; otherwise counts those that are not. */
  private isSent(count = 1): boolean {
    if (!this.transport.isConfigured) messagesTotal.inc({ outcome: 'not_configured' }, count);
    return this.transport.isConfigured;
  }
}

function messageOf(
  accountId: string,
  source: string,
  {
    kind,
    content,
    group,
    gatheredMs,
    instructorId,
  }: Pick<MessageDocument, 'kind' | 'content'> & Pick<Notice, 'group' | 'gatheredMs' | 'instructorId'>,
  eventIds: string[],
): MessageDocument {
  const now = sharedClock.now();
  return {
    _id: derivedId('msg', source, instructorId ?? accountId),
    accountId,
    readers: [accountId],
    ...(instructorId === undefined ? {} : { instructorId }),
    kind,
    content,
    eventIds,
    ...(group === null ? {} : { group: `${accountId}|${group}` }),
    status: 'pending',
    reason: null,
    recipient: null,
    attempts: 0,
    lastResponse: null,
    dueAt: new Date(now.getTime() + gatheredMs),
    sentAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
