import { Injectable } from '@nestjs/common';
import { type Page, waitlistAccepted, waitlistExpired, waitlistJoined, waitlistOffered } from '@swim/contracts';
import {
  type AccountClock,
  AggregateRepository,
  asSystem,
  Databases,
  type Decision,
  dueBy,
  type Filter,
  type ListQuery,
  type Managed,
  OutboxRelay,
  oneOf,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext, systemContext } from '@swim/platform';
import mongoose from 'mongoose';
import type { LessonDocument } from '../../calendar/places/lesson.schema.js';
import { toWaitlistEntry } from './waitlist.mapper.js';
import { type Offer, type WaitlistDocument, waitlistSchema } from './waitlist.schema.js';

/** Filters of a list of entries. */
export interface WaitlistFilters {
  lesson_id?: string | undefined;
  class_id?: string | undefined;
  instructor_id?: string | undefined;
  member_id?: string | undefined;
  status?: readonly string[] | undefined;
}

/** Free time of an instructor, in epoch milliseconds. */
interface FreeTime {
  startMs: number;
  endMs: number;
}

type WaitlistEvent = typeof waitlistOffered | typeof waitlistAccepted | typeof waitlistExpired;

/** Whose time is awaited. */
export type Awaited = Pick<WaitlistDocument, 'instructorId'> | Pick<WaitlistDocument, 'schoolId'>;

const PAGE = 100;
const WAITING = { status: 'waiting', leftAt: null } as const;
const WAITING_FOR_TIME = { ...WAITING, lessonId: null, classId: null } as const;
// The maximum of one query.
const MOST_WAITING = 60_000;

const REASON = 'a waitlist has entries of all accounts';
const inward = asSystem(REASON);

/** Storage of waitlist entries. */
@Injectable()
export class WaitlistRepository extends AggregateRepository<WaitlistDocument> {
  /** Entries whose requested time has passed. */
  readonly past = this.work({ name: 'waitlist', due: 'dueAt', reason: REASON });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('waitlist', waitlistSchema), relay);
  }

  /** Throws `already_exists` when the member has an open entry for the same time. */
  insert(context: RequestContext, entry: Omit<WaitlistDocument, Managed>): Promise<WaitlistDocument> {
    return this.create(context, entry, [{ type: waitlistJoined, object: toWaitlistEntry }]);
  }

  findVisible(context: RequestContext, id: string): Promise<WaitlistDocument | null> {
    return this.lookUp(context.principal, id);
  }

  /** Throws `resource_not_found` when the account sees no such entry. */
  async getVisible(context: RequestContext, id: string): Promise<WaitlistDocument> {
    const entry = await this.findVisible(context, id);
    if (!entry) throw new AppError('resource_not_found');
    return entry;
  }

  listVisible(context: RequestContext, query: WaitlistFilters & ListQuery): Promise<Page<WaitlistDocument>> {
    const { lesson_id, class_id, instructor_id, member_id, status } = query;
    const filter = {
      ...(lesson_id ? { lessonId: { $type: 'string', $eq: lesson_id } } : {}),
      ...(class_id ? { classId: { $type: 'string', $eq: class_id } } : {}),
      ...(instructor_id ? { instructorId: instructor_id } : {}),
      ...(member_id ? { memberId: member_id } : {}),
      ...oneOf('status', status),
    };
    return this.listPage(context.principal, query, { name: 'waitlist', filter, cursors: this.cursors });
  }

  /** Whether the member has an open entry for the same time. */
  async isInLine(openKey: string): Promise<boolean> {
    return (await this.findOne(inward, { openKey })) !== null;
  }

  /** Pages of the entries that wait for this instructor and could use some of the free time, first come first. */
  pagesInLine(instructorId: string, free: FreeTime): AsyncGenerator<WaitlistDocument[]> {
    return this.pages(waitingFor(instructorId, free));
  }

  /** Pages of all entries that wait for this instructor, or for any of this school, first come first. */
  pagesWaitingFor(of: Awaited): AsyncGenerator<WaitlistDocument[]> {
    return this.pages({ ...of, ...WAITING_FOR_TIME });
  }

  /** Pages of the entries that wait in this line, first come first. */
  pagesWaitingIn(line: Line): AsyncGenerator<WaitlistDocument[]> {
    return this.pages(waitingIn(line));
  }

  /** Gives the entries that wait in a line the time and the instructor that its lesson or class has now. */
  async follow(line: Line, to: LineTime): Promise<void> {
    const isOther = {
      $or: Object.entries(to).map(([field, value]) => ({ [field]: mongoose.trusted({ $ne: value }) })),
    };
    for (;;) {
      const others = await this.findMany(inward, { ...waitingIn(line), ...isOther }, {}, PAGE);
      const updates = others.map((entry) => ({
        filter: { _id: entry._id, status: 'waiting' },
        update: {
          $set: { ...to, dueAt: pastAt({ ...entry, ...to }), updatedAt: this.databases.clock.now() },
          $inc: { rev: 1 },
        },
      }));
      await this.updateEach(inward, updates);
      if (others.length < PAGE) return;
    }
  }

  private async *pages(waiting: Filter): AsyncGenerator<WaitlistDocument[]> {
    let after = '';
    for (;;) {
      const next = { ...waiting, _id: { $gt: after } };
      const page = await this.findMany(inward, next, { _id: 1 }, PAGE);
      yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)!._id;
    }
  }

  /** Whether there is such an entry. */
  isAwaited(instructorId: string, free: FreeTime): Promise<boolean> {
    return this.exists(inward, waitingFor(instructorId, free));
  }

  /** Those of these instructors for whom an entry waits. */
  async findAwaited(instructorIds: string[]): Promise<Set<string>> {
    const waiting = { instructorId: { $in: instructorIds }, ...WAITING_FOR_TIME };
    const found = await this.findPicked<'instructorId'>(inward, waiting, ['instructorId'], {
      limit: MOST_WAITING,
    });
    return new Set(found.map(({ instructorId }) => instructorId));
  }

  /** Open entries of an account, or for a school's instructors; of these, those made before an instant. */
  findOpenIdsOf(accountId: string, limit: number, before?: Date): Promise<string[]> {
    return this.findOpenIds({ readers: accountId, ...(before ? { createdAt: { $lt: before } } : {}) }, limit);
  }

  /** Open entries that match. */
  async findOpenIds(whose: Filter, limit: number): Promise<string[]> {
    const open = { status: { $in: ['waiting', 'offered'] }, ...whose };
    return (await this.findPicked(inward, open, [], { limit })).map(({ _id }) => _id);
  }

  /** An entry, if it is still waiting for an offer. */
  async findWaiting(id: string): Promise<WaitlistDocument | null> {
    const entry = await this.lookUp(inward, id);
    return entry?.status === 'waiting' && !entry.leftAt ? entry : null;
  }

  /** Entries of an account whose requested time has passed. */
  findDueOf(accountId: string, limit: number): Promise<WaitlistDocument[]> {
    const due = { readers: accountId, dueAt: dueBy(this.databases.clock.now()) };
    return this.findMany(inward, due, { dueAt: 1 }, limit);
  }

  /** Applies the clock of a test account to its open entries. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: { dueAt: { $type: 'date' } }, dates: ['dueAt'] }, clock);
  }

  /** waiting → offered; true also when this offer was recorded before, otherwise false. */
  async markOffered(id: string, offer: Offer): Promise<boolean> {
    const entry = await this.change(id, waitlistOffered, (now) =>
      now.status === 'waiting' && !now.leftAt ? { status: 'offered', offer, dueAt: null } : null,
    );
    return entry?.offer?.holdId === offer.holdId;
  }

  /** offered → accepted; also from waiting, since clients see the hold of an offer a moment before its entry is marked. */
  async markAccepted(id: string, offer: Offer, bookingId: string): Promise<void> {
    await this.change(id, waitlistAccepted, (now) =>
      mayEnd(now, offer) ? { status: 'accepted', offer, bookingId, ...ended } : null,
    );
  }

  /** offered → waiting, if this is its offer: its place in line is the one that it had. */
  async markReturned(id: string, { holdId }: Offer): Promise<void> {
    await this.mutate(inward, id, systemContext(''), (now) => {
      if (now.status !== 'offered' || now.offer?.holdId !== holdId) return null;
      return { set: { status: 'waiting', offer: null, dueAt: pastAt(now) } };
    });
  }

  /** offered → expired, if this is its offer; also from waiting, as for `markAccepted`. */
  async markLapsed(id: string, offer: Offer): Promise<void> {
    await this.change(id, waitlistExpired, (now) =>
      mayEnd(now, offer) ? { status: 'expired', offer: now.offer ?? offer, ...ended } : null,
    );
  }

  /** waiting → expired: its requested time has passed. An entry in another state is no longer due. */
  async markPast(id: string): Promise<void> {
    await this.change(id, waitlistExpired, (now) =>
      now.status === 'waiting' ? { status: 'expired', ...ended } : null,
    );
    const isOver = { _id: id, status: { $ne: 'waiting' }, dueAt: { $ne: null } };
    await this.update(inward, isOver, { $set: { dueAt: null } });
  }

  /**
   * Removes an entry's readers; false when it has become an offer meanwhile. The document stays until its events are
   * published.
   */
  async markLeft(context: RequestContext, id: string): Promise<boolean> {
    let isLeft = false;
    await this.mutate(inward, id, { ...context, opId: null }, (now) => {
      isLeft = now.status !== 'offered';
      return isLeft ? { set: { readers: [], ...ended, leftAt: this.databases.clock.now() }, unseen: true } : null;
    });
    return isLeft;
  }

  private async change(
    id: string,
    event: WaitlistEvent,
    decide: (now: WaitlistDocument) => Decision<WaitlistDocument>['set'] | null,
  ): Promise<WaitlistDocument | null> {
    const changed = await this.mutate(inward, id, systemContext(''), (now) => {
      const set = decide(now);
      return set && { set, events: [{ type: event, object: toWaitlistEntry }] };
    });
    return changed?.document ?? null;
  }
}

/** When the requested time of an entry has passed, in real time. */
export const pastAt = ({ to, durationMinutes, clockOffsetMs = 0 }: Requested): Date =>
  new Date(to.getTime() - durationMinutes * 60_000 - clockOffsetMs);

type Requested = Pick<WaitlistDocument, 'to' | 'durationMinutes' | 'clockOffsetMs'>;

/** Whose line it is. */
export type Line = { lessonId: string } | { classId: string };

/** The fields that an entry has from its lesson or class. */
export type LineTime = Pick<WaitlistDocument, 'instructorId' | 'from' | 'to' | 'durationMinutes'>;

export const timeOf = ({ instructorId, start, end, durationMinutes }: LessonDocument): LineTime => ({
  instructorId,
  from: start,
  to: end,
  durationMinutes,
});

// States the condition of the partial index, which is used only then.
const waitingIn = (line: Line): Filter => ({
  ...Object.fromEntries(Object.entries(line).map(([field, id]) => [field, { $type: 'string', $eq: id }])),
  ...WAITING,
});

const ended = { openKey: undefined, dueAt: null };

const mayEnd = ({ status, leftAt, offer }: WaitlistDocument, { holdId }: Offer): boolean =>
  (status === 'waiting' && !leftAt) || (status === 'offered' && offer?.holdId === holdId);

const waitingFor = (instructorId: string, { startMs, endMs }: FreeTime): Filter => ({
  instructorId,
  ...WAITING_FOR_TIME,
  from: { $lt: new Date(endMs) },
  to: { $gt: new Date(startMs) },
});
