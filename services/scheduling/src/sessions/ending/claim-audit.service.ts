import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ENVIRONMENTS } from '@swim/contracts';
import { WhenDue } from '@swim/mongo';
import { counter, inEnvironment, LOGGER, type Logger } from '@swim/platform';
import { CalendarService, type Claim } from '../../calendar/calendar.service.js';
import { isLesson } from '../../calendar/claim.rules.js';
import { nobodyWaits, VacatedTimeService } from '../../calendar/vacated-time.service.js';
import { isLessonOf, LessonsRepository } from '../../lessons/lessons.repository.js';
import { isOwnerOf } from '../storage/session.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { type AuditPosition, ClaimAuditsRepository } from './claim-audits.repository.js';

/** Confirmed claims without an owner that were released. Each is the result of a fault. */
const orphanClaimsTotal = counter({
  name: 'swim_orphan_claims_total',
  help: 'Confirmed claims without an owner that were released',
});

const BATCH = 50;
// Longer than a claim can be confirmed without its sessions, or before its session changes over to it.
const GRACE_MS = 10 * 60_000;

/**
 * Checks continuously that every confirmed claim has an owner: for each of its holders a lesson or a session that has its
 * time from it, or is about to release it. A claim without an owner is the result of a fault: it is released, counted and logged. One replica at
 * a time checks one batch; the next one resumes after it.
 */
@Injectable()
export class ClaimAuditService implements OnApplicationBootstrap {
  @Inject(LOGGER) private readonly logger!: Logger;

  constructor(
    private readonly audits: ClaimAuditsRepository,
    private readonly calendar: CalendarService,
    private readonly vacated: VacatedTimeService,
    private readonly sessions: SessionsRepository,
    private readonly lessons: LessonsRepository,
  ) {}

  /** Checks the claims after this id; returns the last id of the batch, empty at the end. */
  async audit(afterId: string): Promise<string> {
    const claims = await this.calendar.findUnwatched(afterId, GRACE_MS, BATCH);
    const ownerless = await this.ownerless(claims);
    for (const { claim, holder } of ownerless) {
      // A claim whose check or release fails is checked again in the next round.
      await this.release(claim, holder).catch((error) =>
        this.logger.error({ err: error, claimId: claim._id, sessionId: holder }, 'claim not audited'),
      );
    }
    return claims.length < BATCH ? '' : claims.at(-1)!._id;
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const env of ENVIRONMENTS) await inEnvironment(env, () => this.audits.begin());
  }

  @WhenDue(({ audits }: ClaimAuditService) => audits.batches)
  async auditBatch(position: AuditPosition): Promise<void> {
    await this.audits.goOn(position, await this.audit(position.afterId));
  }

  private async ownerless(claims: Claim[]): Promise<{ claim: Claim; holder: string }[]> {
    const ids = [...new Set(claims.flatMap(({ holders }) => holders))];
    const sessions = new Map((await this.sessions.findOwnership(ids)).map((each) => [each._id, each]));
    const lessons = new Map((await this.lessons.findAll(ids.filter(isLesson))).map((each) => [each._id, each]));
    const isOwned = (claim: Claim, holder: string) =>
      isLesson(holder) ? isLessonOf(claim, lessons.get(holder)) : isOwnerOf(claim, sessions.get(holder));
    return claims.flatMap((claim) =>
      claim.holders.filter((holder) => !isOwned(claim, holder)).map((holder) => ({ claim, holder })),
    );
  }

  // Claim and session were read one after the other: both are read again before anything is released.
  private async release(seen: Claim, holder: string): Promise<void> {
    const claim = await this.calendar.findClaim(seen._id);
    const isFulfilled = claim?.state === 'confirmed' && claim.dueAt === undefined && claim.holders.includes(holder);
    if (!isFulfilled || (await this.ownerless([{ ...claim, holders: [holder] }])).length === 0) return;
    this.logger.error({ claimId: claim._id, sessionId: holder }, 'claim without an owner released');
    orphanClaimsTotal.inc();
    await this.vacated.leave(claim._id, [holder], nobodyWaits);
  }
}
