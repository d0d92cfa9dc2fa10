import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CALENDAR_PRODUCT, type CalendarFeed, type LessonPlace } from '@swim/contracts';
import { AppError, accountTime, Clock, currentEnvironment, systemContext } from '@swim/platform';
import { type CalendarEntry, toICalendar } from '@swim/platform/icalendar';
import { HoldsService } from '../holds/holds.service.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { PoolsService } from '../pools/pools.service.js';
import {
  type CalendarLesson,
  type CalendarOwner,
  LessonTimesService,
} from '../sessions/reading/lesson-times.service.js';
import { CalendarTokensService } from './calendar-tokens.service.js';
import { entriesOf, titleOf } from './feed.rules.js';

const DAY_MS = 86_400_000;
// From 90 days ago to 365 days ahead (contract, Events and webhooks).
const BACK_MS = 90 * DAY_MS;
const AHEAD_MS = 365 * DAY_MS;
const MOST_ENTRIES = 4_000;
/** A reply has at most 4 MB, in which a line break is four bytes. */
const MOST_BYTES = 3_000_000;
const REFRESH_MINUTES = 60;
const TAG_LENGTH = 22;

/** The presented token of a feed. */
export interface FeedRequest {
  /** Digest of the token. */
  digest: string;
  /** Tags of the contents that the reader has already. */
  knownTags: readonly string[];
}

/** Calendar feeds of instructors and members. */
@Injectable()
export class FeedsService {
  @Inject(HoldsService) private readonly holds!: HoldsService;

  constructor(
    private readonly tokens: CalendarTokensService,
    private readonly times: LessonTimesService,
    private readonly pools: PoolsService,
    private readonly participants: ParticipantResolverService,
    private readonly clock: Clock,
  ) {}

  /** The feed of an owner. Throws `resource_not_found` unless the digest is that of its token. */
  async read(owner: CalendarOwner, { digest, knownTags }: FeedRequest): Promise<CalendarFeed> {
    const ownerId = 'memberId' in owner ? owner.memberId : owner.instructorId;
    const accountId = await this.tokens.verify(ownerId, digest);
    const lessons = await this.lessonsOf(accountId, owner);
    const instructorId = 'instructorId' in owner ? owner.instructorId : null;
    const named = instructorId === null ? lessons.map((lesson) => lesson.instructorId) : [instructorId];
    const [description, places] = await Promise.all([
      this.participants.describeCalendar(accountId, named),
      this.pools.findPlaces(poolsOf(lessons)),
    ]);
    // The account or the instructor may have been erased while the token was stored.
    const isGone = instructorId !== null && description?.instructors.length === 0;
    if (!description || isGone) throw new AppError('resource_not_found');
    const title = titleOf(description.locale);
    const entries = entriesOf(lessons, { description, places, instructorId });
    const tag = hash('sha256', JSON.stringify([title, entries]), 'base64url').slice(0, TAG_LENGTH);
    return { tag, text: knownTags.includes(tag) ? null : textOf(title, entries) };
  }

  /** Where lessons, and the time of a hold, are, for messages about them. */
  async describePlaces(sessionIds: string[], holdId?: string): Promise<LessonPlace[]> {
    const held = holdId === undefined ? null : await this.holds.find(holdId);
    const lessons = [...(await this.times.findLocations(sessionIds)), ...(held ? [held] : [])];
    const pools = await this.pools.findPlaces(poolsOf(lessons));
    return lessons.flatMap(({ _id: id, location }) => {
      const pool = pools.get(location?.pool_id ?? '') ?? null;
      return location ? [{ id, type: location.type as LessonPlace['type'], pool }] : [];
    });
  }

  private async lessonsOf(accountId: string, owner: CalendarOwner): Promise<CalendarLesson[]> {
    const offsetMs = await this.participants.clockOffset(systemContext(accountId));
    const nowMs = accountTime(this.clock, currentEnvironment(), offsetMs).getTime();
    const range = { fromMs: nowMs - BACK_MS, nowMs, toMs: nowMs + AHEAD_MS, limit: MOST_ENTRIES };
    return this.times.findNearest(accountId, owner, range);
  }
}

/** The text of a feed: without its last entries where it would be too large for a reply. */
function textOf(name: string, entries: readonly CalendarEntry[]): string {
  for (let kept = entries; ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const text = toICalendar({ product: CALENDAR_PRODUCT, name, refreshMinutes: REFRESH_MINUTES, entries: kept });
    if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  }
}

const poolsOf = (lessons: readonly Pick<CalendarLesson, 'location'>[]): Set<string> =>
  new Set(lessons.flatMap(({ location }) => location?.pool_id ?? []));
