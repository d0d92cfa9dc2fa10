import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { LOGGER, systemCall } from '@swim/messaging';
import { AppError, derivedId, type Logger, newId } from '@swim/platform';
import { type FreedTime, FreedTimeService } from '../calendar/freed-time.service.js';
import { type HoldDocument, HoldKeepingService } from '../holds/hold-keeping.service.js';
import { type KnownInstructor, PlanningService } from '../sessions/planning.service.js';
import { WaitlistRepository } from './waitlist.repository.js';
import type { WaitlistDocument } from './waitlist.schema.js';

const OFFER_MS = 30 * 60_000;
// The time stays taken while it is passed on to the next, so that nobody gets between.
const GRACE_MS = 10_000;

type Span = Pick<FreedTime, 'startMs' | 'endMs'>;

/** Offers time that somebody gives up to those who wait for it, first come first, each time as a hold of 30 minutes. */
@Injectable()
export class OffersService {
  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly freedTime: FreedTimeService,
    private readonly keeping: HoldKeepingService,
    private readonly planning: PlanningService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Offers an instructor's time before it is let go: whoever can use some of it, in the order of the line, gets a hold.
   * The claim that cedes it must never count again.
   */
  async passOn(env: Environment, instructorId: string, freed: FreedTime): Promise<void> {
    for (const entry of await this.waitlist.findInLine(env, instructorId, freed.startMs, freed.endMs)) {
      await this.offer(env, entry, freed);
    }
  }

  /** Tells the one a hold was made for, unless that one waits no more: then nobody was told of it, and it is undone. */
  async offered(env: Environment, hold: HoldDocument): Promise<void> {
    const { startMs, endMs } = hold.slots[0]!;
    const offer = { holdId: hold._id, startMs, endMs, expiresAt: hold.expiresAt! };
    if (await this.waitlist.markOffered(env, hold.waitlistId!, offer)) return;
    await this.keeping.discard(env, hold);
  }

  /** Claims the time of an offer whose making was cut off; null when it can't be had now, or nobody waits for it. */
  async claimAgain(env: Environment, hold: HoldDocument): Promise<HoldDocument | null> {
    const entry = await this.waitlist.findWaiting(env, hold.waitlistId!);
    const known = entry && (await this.known(entry, env));
    if (!known) return null;
    const call = systemCall(env, hold.accountId);
    const { pool } = await this.planning.placeOf(call, hold.location, known.rules);
    const terms = { rules: known.rules, pool, nowMs: this.planning.nowMs(), graceMs: GRACE_MS };
    const kept = await this.keeping.claim(env, hold, terms);
    return 'hold' in kept ? kept.hold : null;
  }

  /** A booking was made of the offer. */
  accepted(env: Environment, entryId: string, bookingId: string): Promise<void> {
    return this.waitlist.markAccepted(env, entryId, bookingId);
  }

  /** The offer was not taken in time, or declined. */
  lapsed(env: Environment, entryId: string, holdId: string): Promise<void> {
    return this.waitlist.markLapsed(env, entryId, holdId);
  }

  private async offer(env: Environment, entry: WaitlistDocument, freed: FreedTime): Promise<void> {
    const call = systemCall(env, entry.accountId);
    const known = await this.known(entry, env);
    if (!known) return;
    const terms = { rules: known.rules, nowMs: this.planning.nowMs() };
    const wanted = { ...entry, fromMs: entry.from.getTime(), toMs: entry.to.getTime() };
    for (const time of await this.freedTime.times(env, terms, freed, wanted)) {
      const { location, pool } = await this.planning.placeOf(call, null, known.rules);
      const hold = { ...offeredHold(entry, time), location };
      const kept = await this.keeping.keep(call, hold, { ...terms, pool, ceded: freed.ceded, graceMs: GRACE_MS });
      if ('hold' in kept) return this.offered(env, kept.hold);
    }
  }

  // An instructor or member who is no more cannot be offered anything; the line goes on with the next.
  private async known(entry: WaitlistDocument, env: Environment): Promise<KnownInstructor | null> {
    try {
      const party = { instructor_id: entry.instructorId, member_ids: [entry.memberId] };
      return await this.planning.party(systemCall(env, entry.accountId), party);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'SERVER_ERROR') throw error;
      this.logger.info({ waitlistId: entry._id, reason: error.reason }, 'passed over in the line');
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
