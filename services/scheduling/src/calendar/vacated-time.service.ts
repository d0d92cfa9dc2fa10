import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { CalendarService } from './calendar.service.js';
import { elementsByDay } from './claim.rules.js';
import type { Claim, ClaimElement } from './claim.schema.js';
import { ClaimsRepository } from './claims.repository.js';
import { DaysRepository } from './days.repository.js';
import type { ReleasedTime } from './released-time.service.js';

// Long enough to ask those who wait, also after a crash, and short enough for the time not to stay taken.
const PLACEHOLDER_MS = 60_000;

/** Time that the last of its sessions has left, kept by a placeholder while those who wait for it are asked. */
export interface VacatedTime {
  instructorId: string;
  released: ReleasedTime;
  /** The claim that the time was part of. */
  claim: Claim;
  /** What a placeholder that had ended before it came did not take the place of. */
  missed: ClaimElement[];
}

/** For time that nobody is asked about: it is free at once. */
export const nobodyWaits = async (): Promise<boolean> => false;

/**
 * How sessions leave a claim. The claim's list of holders says who was the last: of several who leave at once it is one.
 * Where somebody waits for the time, a placeholder takes the place of the claim on each day document in one update, so
 * that nobody comes between; it ends by itself, by the database's clock.
 */
@Injectable()
export class VacatedTimeService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
  ) {}

  /**
   * One session gives up its part of a claim. Answers the time that nobody holds any more and somebody waits for, which
   * `giveBack` has to end; null when there is none. Safe to repeat.
   */
  async leave(
    env: Environment,
    claimId: string,
    sessionId: string,
    isAwaited: (instructorId: string, released: ClaimElement) => Promise<boolean>,
  ): Promise<VacatedTime | null> {
    const claim = await this.claims.removeHolder(env, claimId, sessionId);
    if (!claim) return null;
    const left = claim.elements.filter(({ holders }) => holders.includes(sessionId));
    const vacated = left.filter(({ holders }) => !holders.some((holder) => claim.holders.includes(holder)));
    const taught = vacated.find(({ resource }) => resource.startsWith('ins_'));
    const isKept = claim.state === 'confirmed' && taught && (await isAwaited(taught.resource, taught));
    if (!isKept) {
      await this.letGo(env, claim, left, sessionId);
      return null;
    }
    // A member is free at once: nobody waits for a member's time.
    const elements = vacated.filter(({ resource }) => !resource.startsWith('mem_'));
    const placeholderId = `${claimId}@${taught.startMs}`;
    await this.claims.insertHeld(env, placeholderId, placeholderOf(placeholderId, elements), PLACEHOLDER_MS);
    const missed: ClaimElement[] = [];
    for (const element of elements) {
      if (!(await this.days.replace(env, claimId, element, placeholderId))) missed.push(element);
    }
    const ofMember = left.filter((element) => !elements.includes(element));
    await this.days.removeHolderOf(env, ofMember, claimId, sessionId);
    const { startMs, endMs, resource: instructorId } = taught;
    const released = { startMs, endMs, excluded: { claimId: placeholderId, holders: [placeholderId] } };
    return { instructorId, released, claim, missed };
  }

  /** Ends the placeholder, and the claim when nothing of it is left. Safe to repeat. */
  async giveBack(env: Environment, { claim, missed, released }: VacatedTime): Promise<void> {
    await this.calendar.release(env, released.excluded.claimId);
    for (const element of missed) await this.days.replace(env, claim._id, element, null);
    await this.releaseIfEmpty(env, claim);
  }

  private async letGo(env: Environment, claim: Claim, left: ClaimElement[], sessionId: string): Promise<void> {
    if (claim.holders.length === 0 && left.length === claim.elements.length)
      return this.calendar.release(env, claim._id);
    await this.days.removeHolderOf(env, left, claim._id, sessionId);
    await this.releaseIfEmpty(env, claim);
  }

  // Others may have left it too, and not yet have handed their part over: whoever takes the last part off its days ends it.
  private async releaseIfEmpty(env: Environment, { _id }: Claim): Promise<void> {
    const claim = await this.claims.findById(env, _id);
    if (!claim || claim.holders.length > 0) return;
    const ids = elementsByDay(claim.elements).map(([dayId]) => dayId);
    const days = await this.days.findByIds(env, ids);
    const isOnDays = days.some(({ busy }) => busy.some(({ c }) => c === _id));
    if (!isOnDays || claim.state === 'released') await this.calendar.release(env, _id);
  }
}

const placeholderOf = (id: string, elements: ClaimElement[]) => ({
  key: id,
  elements: elements.map((element) => ({ ...element, holders: [id] })),
});
