import { Injectable } from '@nestjs/common';
import { AppError, type RequestContext } from '@swim/platform';
import { lessonIdsOf } from './hold.rules.js';
import type { QuotaEntry } from './hold-quota.schema.js';
import { type HoldCaps, HoldQuotasRepository } from './hold-quotas.repository.js';
import { HoldsRepository, type NewHold } from './holds.repository.js';

const FAMILY: HoldCaps = { holds: 3, minutes: 60 * 60 };
const SCHOOL: HoldCaps = { holds: 30, minutes: 600 * 60 };
// Longer than the time a request has for the claim, and than the claim outlasts the hold.
const CLAIMING_MS = 20_000;

type Kept = Pick<NewHold, '_id' | 'slots' | 'lastsMs'>;

const minutesOf = ({ slots }: Kept): number =>
  slots.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 60_000, 0);

const capsOf = ({ principal }: RequestContext): HoldCaps => (principal.kind === 'school' ? SCHOOL : FAMILY);

/** Limits the time that an account may hold without booking it (contract, Bookings). */
@Injectable()
export class HoldCapsService {
  constructor(
    private readonly quotas: HoldQuotasRepository,
    private readonly holds: HoldsRepository,
  ) {}

  /**
   * Counts a stored hold against the account that makes it; returns the instant after which the hold must have ended.
   * `limit_reached` when the account holds too much. Idempotent.
   */
  async count(context: RequestContext, hold: Kept): Promise<Date> {
    const { accountId } = context.principal;
    const requested = { id: hold._id, minutes: minutesOf(hold), lastsMs: hold.lastsMs + CLAIMING_MS };
    for (;;) {
      const entry = await this.quotas.add(accountId, requested, capsOf(context));
      if (entry) return entry.until;
      if ((await this.dropEnded(accountId)) === 0) throw limitReached(context, hold);
    }
  }

  /** Rejects a hold that would exceed the caps now; stores nothing. */
  async check(context: RequestContext, hold: Kept): Promise<void> {
    const { accountId } = context.principal;
    const caps = capsOf(context);
    const entries = await this.quotas.entriesOf(accountId);
    const ended = new Set(await this.endedOf(entries));
    const live = entries.filter(({ id }) => !ended.has(id));
    const minutes = live.reduce((sum, entry) => sum + entry.minutes, minutesOf(hold));
    if (live.length >= caps.holds || minutes > caps.minutes) throw limitReached(context, hold);
  }

  // A hold is stored before it is counted: one that does not exist or has ended never counts again.
  private async dropEnded(accountId: string): Promise<number> {
    const ended = await this.endedOf(await this.quotas.entriesOf(accountId));
    if (ended.length > 0) await this.quotas.drop(accountId, ended);
    return ended.length;
  }

  private async endedOf(entries: QuotaEntry[]): Promise<string[]> {
    const now = this.holds.now();
    const isLive = async ({ id, until }: QuotaEntry) => {
      const hold = until > now ? await this.holds.findAny(id) : null;
      if (hold?.status === 'claiming') return true;
      return hold?.status === 'active' && hold.expiresAt !== null && hold.expiresAt > now;
    };
    const live = await Promise.all(entries.map(isLive));
    return entries.filter((_, index) => !live[index]).map(({ id }) => id);
  }
}

function limitReached(context: RequestContext, hold: Kept): AppError {
  const { holds, minutes } = capsOf(context);
  const hours = minutes / 60;
  return new AppError('limit_reached', {
    field: lessonIdsOf(hold) ? 'lesson_ids' : 'sessions',
    message: `An account may have ${holds} live holds with ${hours} hours of sessions in all. Book or remove a hold, wait until one expires, or hold fewer sessions.`,
    details: { maximum: holds, maximum_hours: hours },
  });
}
