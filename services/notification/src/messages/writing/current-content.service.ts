import { Injectable } from '@nestjs/common';
import { sessionCancelled, sessionRescheduled, waitlistOffered } from '@swim/contracts';
import { StoredEventsService } from '../../events/stored-events.service.js';
import type { MessageContent, MessageDocument, MessageLesson } from '../message.schema.js';

/** After these events there is nothing to be reminded of; a message of their own is about them. */
const ENDING = [sessionCancelled.type, sessionRescheduled.type];

type Content<About> = Extract<MessageContent, { about: About }>;

/** Decides what of a message is of use when it is sent, seconds to hours after its event. */
@Injectable()
export class CurrentContentService {
  constructor(private readonly events: StoredEventsService) {}

  /**
   * What a message is about, without lessons of a reminder that have begun, were cancelled or moved; null when nothing is left, and
   * for an offer that has ended.
   */
  async find({ accountId, kind, content }: MessageDocument, now: Date): Promise<MessageContent | null> {
    if (content.about === 'offer') return (await this.isOpen(accountId, content, now)) ? content : null;
    if (content.about !== 'lessons' || kind !== 'reminder') return content;
    const toCome = content.lessons.filter(({ date }) => Date.parse(date) > now.getTime());
    const areEnded = await Promise.all(toCome.map((lesson) => this.isEnded(accountId, lesson)));
    const lessons = toCome.filter((_, index) => !areEnded[index]);
    return lessons.length > 0 ? { ...content, lessons } : null;
  }

  /** Whether a lesson was cancelled or moved since its reminder. */
  private async isEnded(account: string, { sessionId, sequence }: MessageLesson): Promise<boolean> {
    const newest = await this.events.findNewest({ account, objectId: sessionId, types: ENDING });
    const session = newest?.data.object as { version: number } | undefined;
    return session !== undefined && session.version - 1 > sequence;
  }

  private async isOpen(
    account: string,
    { waitlistId, holdId, expiresAt }: Content<'offer'>,
    now: Date,
  ): Promise<boolean> {
    if (Date.parse(expiresAt) <= now.getTime()) return false;
    const newest = await this.events.findNewest({ account, objectId: waitlistId, types: null });
    // Without an event: it is about to be removed with its account.
    if (newest?.type !== waitlistOffered.type) return newest === null;
    return (newest.data.object as { offer?: { hold_id: string } | null }).offer?.hold_id === holdId;
  }
}
