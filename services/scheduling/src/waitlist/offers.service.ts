import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type BusEvent, heldSessionSalts, type InstructorObject, instructorUpdated } from '@swim/contracts';
import { On } from '@swim/messaging';
import { shownDate } from '@swim/mongo';
import {
  AppError,
  accountTime,
  Clock,
  clockOffsetIn,
  currentEnvironment,
  derivedId,
  LOGGER,
  type Logger,
  newId,
  systemContext,
} from '@swim/platform';
import { occupiedSpan } from '../calendar/hours/availability.rules.js';
import { type ReleasedTime, ReleasedTimeService } from '../calendar/released-time.service.js';
import { type HoldObserver, HoldObserverRegistry } from '../holds/hold-observer.service.js';
import { type HoldDocument, HoldPlacementService } from '../holds/hold-placement.service.js';
import { type KnownInstructor, ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { lessonIdOf } from '../slots/slot.rules.js';
import { isTemporary } from './offer-round.js';
import { ClassLinesRepository } from './storage/class-lines.repository.js';
import { LinesRepository } from './storage/lines.repository.js';
import { type Awaited, WaitlistRepository } from './storage/waitlist.repository.js';
import type { Offer, WaitlistDocument } from './storage/waitlist.schema.js';

export const OFFER_MS = 30 * 60_000;
// The time stays taken while it is offered to the next entry, so that no other claim gets it.
export const GRACE_MS = 10_000;
// As long as a placeholder keeps the time.
const OFFERING_MS = 60_000;

/** The fields that decide when an instructor can be booked, and in which pool. */
const TEACHING = ['availability_schedule', 'timezone', 'status', 'service_areas'] as const;

type Span = Pick<ReleasedTime, 'startMs' | 'endMs'>;

/** Offers released time to waitlist entries, first come first served, each time as a hold of 30 minutes. */
@Injectable()
export class OffersService implements HoldObserver, OnModuleInit {
  @Inject(Clock) private readonly clock!: Clock;
  @Inject(LinesRepository) private readonly lines!: LinesRepository;
  @Inject(ClassLinesRepository) private readonly classLines!: ClassLinesRepository;
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

  /** Those of these instructors for whom somebody waits. */
  findAwaited(instructorIds: string[]): Promise<Set<string>> {
    return this.waitlist.findAwaited(instructorIds);
  }

  /** Whether any entry could use some of an instructor's time. */
  isAwaited(instructorId: string, released: Span): Promise<boolean> {
    return this.waitlist.isAwaited(instructorId, released);
  }

  /**
   * Offers an instructor's time to entries in line, then calls `release`, which releases it, and offers what is free again. The
   * excluded claims must never be confirmed or held again. The method throws at a failure that passes by itself, before the release or
   * after it; an entry that fails otherwise does not block the others, and the method throws at the end of the round.
   */
  async passOn(instructorId: string, times: readonly ReleasedTime[], release: () => Promise<void>): Promise<void> {
    const endsAtMs = performance.now() + OFFERING_MS;
    const rounds = times.map((released) => ({ released, endsAtMs, unsuited: new Set<string>() }));
    for (const round of rounds) await this.offerInLine(instructorId, round);
    await release();
    // Another release of the same time, such as of an offer that was declined at once, may have run meanwhile: each has found
    // the time taken by the claim of the other. The later one finds it free. Entries may also have joined.
    for (const round of rounds) {
      const { released } = round;
      if (!(await this.isAwaited(instructorId, released))) continue;
      if (await this.releasedTime.hasFreePart(instructorId, released)) await this.offerInLine(instructorId, round);
    }
  }

  /** Offers the time that a change of an instructor has made bookable. The event is delivered again until it is offered. */
  @On(instructorUpdated)
  async offerChanged({ object, previous = {} }: BusEvent<InstructorObject>): Promise<void> {
    if (object.status === 'active' && TEACHING.some((field) => field in previous))
      await this.offerFree({ instructorId: object.id });
  }

  /**
   * Offers what is free of the time of an instructor, or of a school's instructors, to the entries in line: after more of it has
   * become bookable without being released. A failing entry does not block the others; throws at the end when one has failed.
   */
  async offerFree(of: Awaited): Promise<void> {
    const failures: unknown[] = [];
    const round = { released: null, endsAtMs: Number.POSITIVE_INFINITY, unsuited: new Set<string>() };
    for await (const entries of this.waitlist.pagesWaitingFor(of))
      failures.push(...(await this.offerEach(entries, round)));
    if (failures.length > 0) throw failures[0];
  }

  /** Offers the time of a hold whose claim is released already, as far as it is free. */
  async offerReleased({ accountId, instructorId, claimId, slots }: HoldDocument): Promise<void> {
    const awaited: HoldDocument['slots'] = [];
    for (const slot of slots) if (await this.isAwaited(instructorId, slot)) awaited.push(slot);
    if (awaited.length === 0) return;
    const { instructor } = await this.participants.findInstructor(systemContext(accountId), instructorId);
    if (!instructor) return;
    const times = awaited.map((slot) => ({
      ...occupiedSpan(instructor.schedule, slot.startMs, slot.endMs),
      // After a crash its days may not be cleared yet.
      excluded: { claimId: claimId ?? '', holder: lessonIdOf(slot) },
    }));
    await this.passOn(instructorId, times, async () => {});
  }

  /** Marks the entry as offered; false when it no longer waits. */
  offered(hold: HoldDocument): Promise<boolean> {
    return this.waitlist.markOffered(hold.waitlistId!, offerOf(hold));
  }

  /** Claims the time of an interrupted offer; null when the time is taken or the entry no longer waits. */
  async reclaim(hold: HoldDocument): Promise<HoldDocument | null> {
    // The line of a lesson is served again: its entry gets another offer.
    if (hold.slots.some(({ lessonId }) => lessonId)) return null;
    const entry = await this.waitlist.findWaiting(hold.waitlistId!);
    const known = entry && (await this.known(entry));
    if (!known) return null;
    const context = systemContext(hold.accountId);
    const { pool } = await this.participants.placeOf(context, hold.location, known.rules);
    const nowMs = accountTime(this.clock, currentEnvironment(), known.rules.clockOffsetMs).getTime();
    const terms = { rules: known.rules, pool, nowMs, fence: context, graceMs: GRACE_MS };
    const kept = await this.placement.claim(hold, terms);
    return 'hold' in kept ? kept.hold : null;
  }

  /** The offer was booked. */
  accepted(hold: HoldDocument, bookingId: string): Promise<void> {
    return this.waitlist.markAccepted(hold.waitlistId!, offerOf(hold), bookingId);
  }

  /** The offer was taken back by the school. */
  async returned(hold: HoldDocument): Promise<void> {
    await this.waitlist.markReturned(hold.waitlistId!, offerOf(hold));
    if (hold.classId) await this.classLines.enter(hold.classId);
    for (const { lessonId } of hold.slots) if (lessonId) await this.lines.enter(lessonId);
  }

  /** The offer expired, or was declined. */
  lapsed(hold: HoldDocument): Promise<void> {
    return this.waitlist.markLapsed(hold.waitlistId!, offerOf(hold));
  }

  /** Offers the time to the entries in line, as long as some of it is free. Throws at the end when one has failed. */
  private async offerInLine(instructorId: string, round: Round & { released: ReleasedTime }): Promise<void> {
    const failures: unknown[] = [];
    let isFirst = true;
    for await (const entries of this.waitlist.pagesInLine(instructorId, round.released)) {
      if (!isFirst && !(await this.releasedTime.hasFreePart(instructorId, round.released))) break;
      failures.push(...(await this.offerEach(entries, round)));
      if (performance.now() > round.endsAtMs) break;
      isFirst = false;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Offers the time to the entries in order; returns the errors of those that have failed. */
  private async offerEach(entries: WaitlistDocument[], { released, endsAtMs, unsuited }: Round): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const entry of entries.filter(({ _id }) => !unsuited.has(_id))) {
      if (performance.now() > endsAtMs) break;
      try {
        if (!(await this.offer(entry, released))) unsuited.add(entry._id);
      } catch (error) {
        failures.push(error);
        this.logger.warn({ err: error, waitlistId: entry._id }, 'waitlist entry not offered yet');
        if (released && isTemporary(error)) throw error;
      }
    }
    return failures;
  }

  /** Offers the entry a time, if one suits it; false when none would suit it whatever else is released. */
  private async offer(entry: WaitlistDocument, released: ReleasedTime | null): Promise<boolean> {
    const context = systemContext(entry.accountId);
    const known = await this.known(entry);
    if (!known) return false;
    const { clockOffsetMs } = known.rules;
    const nowMs = accountTime(this.clock, currentEnvironment(), clockOffsetMs).getTime();
    const { location, pool } = await this.participants.placeOf(context, null, known.rules);
    const terms = { rules: known.rules, pool, nowMs, fence: context };
    const requested = { ...entry, fromMs: entry.from.getTime(), toMs: entry.to.getTime() };
    const { times, isContested } = await this.releasedTime.times(terms, released, requested);
    for (const time of times) {
      const hold = { ...offeredHold(entry, time), location, ...clockOffsetIn(currentEnvironment(), clockOffsetMs) };
      const kept = await this.placement.place(context, hold, {
        ...terms,
        ...(released ? { excluded: released.excluded } : {}),
        graceMs: GRACE_MS,
      });
      if (!('hold' in kept)) continue;
      if (!(await this.offered(kept.hold))) await this.placement.discard(kept.hold);
      return true;
    }
    return times.length > 0 || isContested;
  }

  // An instructor or member that no longer exists gets no offer; the next entry follows.
  private async known(entry: WaitlistDocument): Promise<KnownInstructor | null> {
    try {
      const input = { instructor_id: entry.instructorId, member_ids: [entry.memberId] };
      return await this.participants.resolve(systemContext(entry.accountId), input);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVER_ERROR') throw error;
      this.logger.info({ waitlistId: entry._id, reason: error.reason }, 'waitlist entry skipped');
      return null;
    }
  }
}

/** Both rounds over one released time, or one over all that is free: until when (`performance.now`), and the entries that cannot use it. */
interface Round {
  released: ReleasedTime | null;
  endsAtMs: number;
  unsuited: Set<string>;
}

export function offerOf(hold: HoldDocument): Offer {
  const { startMs, endMs } = hold.slots[0]!;
  return { holdId: hold._id, startMs, endMs, expiresAt: shownDate(hold, hold.expiresAt!) };
}

function offeredHold(entry: WaitlistDocument, { startMs, endMs }: Span) {
  const id = newId('hold');
  const sessions = [
    { id: derivedId('ses', id, heldSessionSalts([startMs])(0, entry.memberId)), memberId: entry.memberId },
  ];
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
