import { Injectable } from '@nestjs/common';
import { CalendarService } from './calendar.service.js';
import { elementsByDay } from './claim.rules.js';
import type { Claim, ClaimElement } from './claim.schema.js';
import { ClaimsRepository } from './claims.repository.js';
import { DayLocksService } from './day-locks.service.js';
import { DaysRepository } from './days.repository.js';
import type { ReleasedTime } from './released-time.service.js';

// Long enough to offer the time to the waitlist, also after a crash, and short enough for the time not to stay taken.
const PLACEHOLDER_MS = 60_000;

/** Time that a lesson has left; a placeholder keeps it while it is offered to the waitlist. */
export interface VacatedTime {
  instructorId: string;
  released: ReleasedTime;
  /** The claim that the time belonged to. */
  claim: Claim;
  /** Elements that the placeholder did not replace, because it had ended before. */
  missed: ClaimElement[];
}

/** Whether the waitlist has an entry for an instructor's time. */
type IsAwaited = (instructorId: string, released: ClaimElement) => Promise<boolean>;

/** For time that is not offered to the waitlist: it is free at once. */
export const nobodyWaits = async (): Promise<boolean> => false;

/**
 * Removes lessons and sessions from a claim. The claim's list of holders decides which of several concurrent removals is the last. When
 * the waitlist has entries for the time, a placeholder replaces the claim on each day document in one update, so that no other
 * claim gets the time; the placeholder expires by the database's clock.
 */
@Injectable()
export class VacatedTimeService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly claims: ClaimsRepository,
    private readonly days: DaysRepository,
    private readonly locks: DayLocksService,
  ) {}

  /**
   * Removes a session, a lesson or both from a claim. Returns the time that a lesson has left and a waitlist entry requests, which
   * `giveBack` must release and `finish` end; null when there is none. Idempotent: until `finish` it returns the same time, then null.
   */
  async leave(claimId: string, leaving: readonly string[], isAwaited: IsAwaited): Promise<VacatedTime | null> {
    const found = await this.claims.findById(claimId);
    if (!found || found.over || (await this.leaveAlone(found, leaving, isAwaited))) return null;
    const claim = await this.claims.removeHolders(claimId, leaving);
    if (!claim) return null;
    const left = claim.elements.filter(({ holder }) => leaving.includes(holder));
    const taught = await this.awaitedOf(claim, left, isAwaited);
    if (!taught) {
      await this.letGo(claim, left, leaving);
      return null;
    }
    // Members are free at once: the waitlist offers instructors' time only.
    const elements = left.filter(({ holder }) => holder === taught.holder);
    const placeholderId = `${claimId}@${taught.startMs}`;
    await this.claims.insertHeld(placeholderId, placeholderOf(placeholderId, elements), PLACEHOLDER_MS);
    const missed: ClaimElement[] = [];
    for (const element of elements) {
      if (!(await this.days.replace(claimId, element, placeholderId))) missed.push(element);
    }
    const ofMember = left.filter((element) => !elements.includes(element));
    await this.days.removeHolders(ofMember, claimId, leaving);
    const { startMs, endMs, resource: instructorId } = taught;
    const released = { startMs, endMs, excluded: { claimId: placeholderId, holder: placeholderId } };
    return { instructorId, released, claim, missed };
  }

  /**
   * Ends the confirmed claim that nothing else holds, unless its time is requested; returns whether it did. Nothing can enter a claim,
   * and no lock of a confirmed one is on its way: it can leave its days while it is confirmed. After a crash that is repeated.
   */
  private async leaveAlone(claim: Claim, leaving: readonly string[], isAwaited: IsAwaited): Promise<boolean> {
    if (claim.state !== 'confirmed' || isUnfulfilled(claim) || !areAllHolders(leaving, claim)) return false;
    if (await this.awaitedOf(claim, claim.elements, isAwaited)) return false;
    await this.locks.leave(claim);
    // When others have left it meanwhile, it is ended as a claim that several leave.
    return this.claims.removeOf(claim);
  }

  /**
   * Ends the confirmed claims that only these sessions and lessons hold, unless somebody waits for their instructor; returns their ids.
   * As `leaveAlone`, for many.
   */
  async leaveTogether(
    claimIds: string[],
    leaving: ReadonlySet<string>,
    findAwaited: (instructorIds: string[]) => Promise<Set<string>>,
  ): Promise<Set<string>> {
    const isTheirs = (claim: Claim) =>
      claim.state === 'confirmed' &&
      !claim.over &&
      !isUnfulfilled(claim) &&
      claim.elements.every(({ holder }) => leaving.has(holder));
    const found = await this.claims.findByIds(claimIds);
    const resourcesOf = ({ elements }: Claim) => elements.map(({ resource }) => resource);
    const theirs = found.filter(isTheirs);
    const awaited = await findAwaited([...new Set(theirs.flatMap(resourcesOf))]);
    const ended = theirs.filter((claim) => !resourcesOf(claim).some((resource) => awaited.has(resource)));
    await this.locks.leaveAll(ended);
    const endedIds = ended.map(({ _id }) => _id);
    await this.claims.removeConfirmed(endedIds);
    return new Set(endedIds);
  }

  /** The instructor's element among those that a claim's last session leaves, if the waitlist requests it. */
  private async awaitedOf(
    { state }: Claim,
    vacated: readonly ClaimElement[],
    isAwaited: IsAwaited,
  ): Promise<ClaimElement | null> {
    const taught = vacated.find(({ resource }) => resource.startsWith('ins_'));
    return state === 'confirmed' && taught && (await isAwaited(taught.resource, taught)) ? taught : null;
  }

  /** Releases the time. Idempotent. */
  async giveBack({ claim, missed, released }: VacatedTime): Promise<void> {
    await this.calendar.release(released.excluded.claimId);
    for (const element of missed) await this.days.replace(claim._id, element, null);
  }

  /** Ends the claim of released time when it has no elements left. Idempotent. */
  finish({ claim }: VacatedTime): Promise<void> {
    return this.releaseIfEmpty(claim);
  }

  /** Releases those of these claims whose time was given up before their plans were made, which is done now. */
  async endOver(claimIds: string[]): Promise<void> {
    for (const claimId of await this.claims.findOver(claimIds)) await this.calendar.release(claimId);
  }

  private async letGo(claim: Claim, left: ClaimElement[], leaving: readonly string[]): Promise<void> {
    if (claim.holders.length === 0 && left.length === claim.elements.length && !isUnfulfilled(claim)) {
      await this.claims.markReleased(claim._id, ['taking', 'held', 'confirmed']);
      return this.calendar.clear(claim);
    }
    await this.days.removeHolders(left, claim._id, leaving);
    await this.releaseIfEmpty(claim);
  }

  // Other sessions may have left without having released their part yet: the run that removes the last part from its days ends
  // the claim.
  private async releaseIfEmpty({ _id }: Claim): Promise<void> {
    const claim = await this.claims.findById(_id);
    if (!claim || claim.holders.length > 0) return;
    const ids = elementsByDay(claim.elements).map(([dayId]) => dayId);
    const days = await this.days.findByIds(ids);
    const isOnDays = days.some(({ busy }) => busy.some(({ c }) => c === _id));
    if (isOnDays && claim.state !== 'released') return;
    if (isUnfulfilled(claim) && (await this.claims.markOver(_id))) return;
    await this.calendar.release(_id);
  }
}

/** Whether the plan of a claim is still needed, also when all of its holders have left it: who makes the plan then ends the claim. */
const isUnfulfilled = ({ plan }: Claim): boolean => plan !== undefined;

const areAllHolders = (leaving: readonly string[], { holders, elements }: Claim): boolean =>
  [...holders, ...elements.map(({ holder }) => holder)].every((holder) => leaving.includes(holder));

const placeholderOf = (id: string, elements: ClaimElement[]) => ({
  key: id,
  elements: elements.map((element) => ({ ...element, holder: id })),
});
