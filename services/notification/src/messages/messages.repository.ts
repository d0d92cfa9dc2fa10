import { Injectable } from '@nestjs/common';
import type { listMessages, Page, ParsedOf } from '@swim/contracts';
import { asSystem, Databases, oneOf, Repository } from '@swim/mongo';
import { CursorCodec, lowestIdAt, type RequestContext, sharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import { type MessageDocument, messageSchema } from './message.schema.js';

const LEASE_MS = 120_000;
const REASON = 'messages of all accounts are sent together';
const sending = asSystem(REASON);

/** The fields of a message after a try, or after the decision against one. */
export type MessageResult = Partial<
  Pick<MessageDocument, 'status' | 'reason' | 'recipient' | 'attempts' | 'lastResponse' | 'sentAt'>
>;

/** Storage of messages. */
@Injectable()
export class MessagesRepository extends Repository<MessageDocument> {
  /** Messages that are to be sent. One that is taken over gets no further events. */
  readonly due = this.work({
    name: 'messages',
    due: 'dueAt',
    reason: REASON,
    leaseMs: LEASE_MS,
    taking: { group: '$$REMOVE' },
  });

  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('messages', messageSchema));
  }

  /** Stores a message; false when one with its id exists. */
  insert(message: MessageDocument): Promise<boolean> {
    return this.tryInsert(sending, message);
  }

  /** Adds an event and its lessons to the message that waits for those of its group; false without one. */
  async append({ group, eventIds: [eventId], content }: MessageDocument): Promise<boolean> {
    if (group === undefined || content.about !== 'lessons') return false;
    const waiting = await this.findOne(sending, { group });
    if (!waiting) return false;
    const lessons = { $each: content.lessons };
    return this.update(
      sending,
      { _id: waiting._id, group, eventIds: mongoose.trusted({ $ne: eventId }) },
      { $push: { eventIds: eventId, 'content.lessons': lessons }, $set: { updatedAt: sharedClock.now() } },
    );
  }

  /** Answers whether a message to the same recipient is about the event of a draft, for drafts about these events. */
  async findNoticed(eventIds: readonly string[]): Promise<(draft: MessageDocument) => boolean> {
    const about = { eventIds: { $in: [...eventIds] } };
    const found = await this.findPicked<'eventIds' | 'instructorId'>(sending, about, ['eventIds', 'instructorId']);
    return (draft) =>
      found.some(
        ({ eventIds: ids, instructorId }) => instructorId === draft.instructorId && ids.includes(draft.eventIds[0]!),
      );
  }

  /** Removes up to `limit` messages that were made before an instant; returns how many. */
  async removeOlder(instant: Date, limit: number): Promise<number> {
    const before = { _id: { $lt: lowestIdAt('msg', instant) }, createdAt: { $lt: instant } };
    const old = await this.findPicked(sending, before, [], { sort: { _id: 1 }, limit });
    const ids = old.map(({ _id }) => _id);
    if (ids.length > 0)
      await this.model(sending).deleteMany(
        { _id: mongoose.trusted({ $in: ids }) } as never,
        { asSystem: REASON } as object,
      );
    return ids.length;
  }

  /** The account's messages, newest first. */
  list({ principal }: RequestContext, query: ParsedOf<typeof listMessages>): Promise<Page<MessageDocument>> {
    const { kind, status } = query;
    const filter = { accountId: principal.accountId, ...(kind ? { kind } : {}), ...oneOf('status', status) };
    return this.listPage(principal, query, {
      // Cursors carry this name: those of another order do not fit.
      name: 'messages by date',
      order: { date: 'createdAt', ascending: false },
      filter,
      cursors: this.cursors,
      without: ['content'],
    });
  }
}
