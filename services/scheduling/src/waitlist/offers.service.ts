import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { shownDate } from '@swim/mongo';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  derivedId,
  LOGGER,
  type Logger,
  newId,
  systemContext,
} from '@swim/platform';
import { type ReleasedTime, ReleasedTimeService } from '../calendar/released-time.service.js';
import { type HoldObserver, HoldObserverRegistry } from '../holds/hold-observer.service.js';
import { type HoldDocument, HoldPlacementService } from '../holds/hold-placement.service.js';
import { type KnownInstructor, ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

const OFFER_MS = 30 * 60_000;
// The time stays taken while it is offered to the next entry, so that no other claim gets it.
const GRACE_MS = 10_000;
// As long as a placeholder keeps the time.
const OFFERING_MS = 60_000;

type Span = Pick<ReleasedTime, 'startMs' | 'endMs'>;

/** Offers released time to waitlist entries, first come first served, each time as a hold of 30 minutes. */
@Injectable()
export class OffersService implements HoldObserver, OnModuleInit {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly releasedTime: ReleasedTimeService,
    private readonly placement: HoldPlacementService,
    private readonly participants: ParticipantResolverService,
    private readonly observers: HoldObserverRegistry,
  ) {}

  onModuleInit(): void {
    this.observers.register(this);
  }

  /** Whether any entry could use some of an instructor's time. */
  isAwaited(env: Environment, instructorId: string, released: Span): Promise<boolean> {
    return this.waitlist.isAwaited(env, instructorId, released);
  }

  /**
   * Offers an instructor's time to entries in line before `release` releases it. The excluded claims must never be confirmed or
   * held again. A failing entry does not block the others; the method throws before the release then.
   */
  async passOn(
    env: Environment,
    instructorId: string,
    times: readonly ReleasedTime[],
    release: () => Promise<void>,
  ): Promise<void> {
    const endsAtMs = performance.now() + OFFERING_MS;
    const requested: ReleasedTime[] = [];
    for (const time of times) {
      if (await this.offerInLine(env, instructorId, time, endsAtMs)) requested.push(time);
    }
    await release();
    // Another release of the same time, such as of an offer that was declined at once, may have run meanwhile: each has found
    // the time taken by the claim of the other. The later one finds it free.
    for (const time of requested) {
      if (await this.releasedTime.hasFreePart(env, instructorId, time))
        await this.offerInLine(env, instructorId, time, endsAtMs);
    }
  }

  /** Marks the entry as offered, unless it no longer waits: then the hold is discarded. */
  async offered(env: Environment, hold: HoldDocument): Promise<void> {
    const { startMs, endMs } = hold.slots[0]!;
    const offer = { holdId: hold._id, startMs, endMs, expiresAt: shownDate(hold, hold.expiresAt!) };
    if (await this.waitlist.markOffered(env, hold.waitlistId!, offer)) return;
    await this.placement.discard(env, hold);
  }

  /** Claims the time of an interrupted offer; null when the time is taken or the entry no longer waits. */
  async reclaim(env: Environment, hold: HoldDocument): Promise<HoldDocument | null> {
    const entry = await this.waitlist.findWaiting(env, hold.waitlistId!);
    const known = entry && (await this.known(entry, env));
    if (!known) return null;
    const context = systemContext(env, hold.accountId);
    const { pool } = await this.participants.placeOf(context, hold.location, known.rules);
    const nowMs = accountTime(this.clock, env, known.rules.clockOffsetMs).getTime();
    const terms = { rules: known.rules, pool, nowMs, fence: context, graceMs: GRACE_MS };
    const kept = await this.placement.claim(env, hold, terms);
    return 'hold' in kept ? kept.hold : null;
  }

  /** The offer was booked. */
  accepted(env: Environment, entryId: string, bookingId: string): Promise<void> {
    return this.waitlist.markAccepted(env, entryId, bookingId);
  }

  /** The offer expired, or was declined. */
  lapsed(env: Environment, entryId: string, holdId: string): Promise<void> {
    return this.waitlist.markLapsed(env, entryId, holdId);
  }

  /** Offers the time to the entries in line, in order; returns whether there were any. Throws at the end when one has failed. */
  private async offerInLine(
    env: Environment,
    instructorId: string,
    released: ReleasedTime,
    endsAtMs: number,
  ): Promise<boolean> {
    const failures: unknown[] = [];
    const entries = await this.waitlist.findInLine(env, instructorId, released);
    for (const entry of entries) {
      if (performance.now() > endsAtMs) break;
      await this.offer(env, entry, released).catch((error) => {
        failures.push(error);
        this.logger.warn({ err: error, waitlistId: entry._id }, 'waitlist entry not offered yet');
      });
    }
    if (failures.length > 0) throw failures[0];
    return entries.length > 0;
  }

  private async offer(env: Environment, entry: WaitlistDocument, released: ReleasedTime): Promise<void> {
    const context = systemContext(env, entry.accountId);
    const known = await this.known(entry, env);
    if (!known) return;
    const { clockOffsetMs } = known.rules;
    const nowMs = accountTime(this.clock, env, clockOffsetMs).getTime();
    const terms = { rules: known.rules, nowMs, fence: context };
    const requested = { ...entry, fromMs: entry.from.getTime(), toMs: entry.to.getTime() };
    for (const time of await this.releasedTime.times(env, terms, released, requested)) {
      const { location, pool } = await this.participants.placeOf(context, null, known.rules);
      const hold = { ...offeredHold(entry, time), location, ...clockOffsetIn(env, clockOffsetMs) };
      const kept = await this.placement.place(context, hold, {
        ...terms,
        pool,
        excluded: released.excluded,
        graceMs: GRACE_MS,
      });
      if ('hold' in kept) return this.offered(env, kept.hold);
    }
  }

  // An instructor or member that no longer exists gets no offer; the next entry follows.
  private async known(entry: WaitlistDocument, env: Environment): Promise<KnownInstructor | null> {
    try {
      const input = { instructor_id: entry.instructorId, member_ids: [entry.memberId] };
      return await this.participants.resolve(systemContext(env, entry.accountId), input);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVER_ERROR') throw error;
      this.logger.info({ waitlistId: entry._id, reason: error.reason }, 'waitlist entry skipped');
      return null;
    }
  }
}

function offeredHold(entry: WaitlistDocument, { startMs, endMs }: Span) {
  const id = newId('hold');
  const sessions = [{ id: derivedId('ses', id, `0/${entry.memberId}`), memberId: entry.memberId }];
  return {
    _id: id,
    accountId: entry.accountId,
    schoolId: entry.schoolId,
    instructorId: entry.instructorId,
    memberIds: [entry.memberId],
    slots: [{ startMs, endMs, sessions }],
    waitlistId: entry._id,
    lastsMs: OFFER_MS,
  };
}
