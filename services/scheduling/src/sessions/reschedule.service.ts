import { type ParsedOf, type Session, sessionRescheduled, sessionUpdated, type updateSession } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { Inject, Injectable } from '@nestjs/common';
import { CLAIM_LEASE_MS } from '../calendar/calendar.service.js';
import { SlotsService } from '../calendar/slots.service.js';
import { ClaimReleaseService } from './claim-release.service.js';
import { type KnownInstructor, PlanningService } from './planning.service.js';
import { toSession } from './session.mapper.js';
import { completeAt, isMove, movedTo, type MoveTarget, nextStatus, priceOf, type SessionChanges } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * Partial updates of a session. A change of time or instructor is a move: the session notes that one is under way, which
 * alone serialises it with others; the new time is claimed beside the old one; the session changes over in one write;
 * the old claim is let go. A crash before the change-over leaves the session as it was.
 */
@Injectable()
export class RescheduleService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly planning: PlanningService,
    private readonly slots: SlotsService,
    private readonly claims: ClaimReleaseService,
    @Inject(CLAIM_LEASE_MS) private readonly leaseMs: number,
  ) {}

  async update({ session_id, changes }: ParsedOf<typeof updateSession>, call: Call): Promise<Session> {
    const session = await this.claims.settled(call, session_id);
    const done = this.sessions.findAnswer(session, call);
    if (done) return done as Session;
    assertChangeable(session, changes);
    const target = movedTo(session, changes);
    const party = needsParty(session, target, changes) ? await this.party(session, target, call) : null;
    const location = changes.location && party ? await this.planning.placeOf(call, changes.location, party.rules) : session.location;
    const plain = { location, notes: changes.notes === undefined ? session.notes : changes.notes };
    if (party && isMove(session, target)) return this.move(session, target, party, plain, changes, call);
    if (call.dryRun) return toSession({ ...session, ...plain, version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(call, session_id, sessionUpdated, (now) => {
      assertChangeable(now, changes);
      return plain;
    });
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  private async party(session: SessionDocument, target: MoveTarget, call: Call): Promise<KnownInstructor> {
    const party = await this.planning.instructor(call, target.instructorId);
    // Another school's instructor would be another lesson, with other readers and rules: book that instead.
    if (party.rules.schoolId !== session.schoolId) throw new AppError('not_found', { field: 'instructor_id' });
    return party;
  }

  private async move(
    session: SessionDocument,
    target: MoveTarget,
    { instructor, rules }: KnownInstructor,
    plain: Pick<SessionDocument, 'location' | 'notes'>,
    changes: SessionChanges,
    call: Call,
  ): Promise<Session> {
    const { env } = call.principal;
    const nowMs = this.planning.nowMs();
    this.planning.inFuture(target.slot.startMs);
    const moved = movedFields(target, plain, priceOf(instructor.hourlyRateCents, (target.slot.endMs - target.slot.startMs) / 60_000));
    const gen = session.gen + 1;
    const plan = () => ({ kind: 'move', sessionId: session._id }) as const;
    const request = { key: `${session._id}#${gen}`, rules, slots: [target.slot], skip: false, nowMs, plan };
    if (call.dryRun) {
      const refused = await this.slots.preview(env, request);
      if (refused.length > 0) throw await this.slots.refusal(env, refused, request);
      return toSession({ ...session, ...moved, version: session.version + 1 });
    }
    await this.begin(session, gen, changes, call);
    try {
      const claimed = await this.slots.claim(env, request);
      if (!claimed.claim) throw await this.slots.refusal(env, claimed.refused, request);
      return await this.changeOver(session, gen, claimed.claim._id, moved, call);
    } catch (error) {
      await this.claims.abandonMove(call, session._id, gen).catch(() => undefined);
      throw error;
    }
  }

  private async begin(session: SessionDocument, gen: number, changes: SessionChanges, call: Call): Promise<void> {
    const move = this.sessions.newMove(gen, this.leaseMs);
    await this.sessions.changeInwardly(call, session._id, (now) => {
      assertChangeable(now, changes);
      if (now.gen !== gen - 1 || this.sessions.isMoving(now)) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return { move, dueAt: move.until };
    });
  }

  private async changeOver(session: SessionDocument, gen: number, claimId: string, moved: object, call: Call): Promise<Session> {
    const { document, earlierAnswer } = await this.sessions.change(call, session._id, sessionRescheduled, (now) => {
      if (now.move?.gen !== gen) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return { ...moved, gen, claimId, move: null, drop: [...now.drop, now.claimId], dueAt: this.sessions.cleanUpAt() };
    });
    await this.claims.letGo(call, document);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }
}

function assertChangeable(session: SessionDocument, { version }: SessionChanges): void {
  if (version !== undefined && version !== session.version) throw new AppError('stale_version', { field: 'version' });
  if (!nextStatus(session.status, 'change')) throw new AppError('invalid_state', { details: { status: session.status } });
}

const needsParty = (session: SessionDocument, target: MoveTarget, changes: SessionChanges): boolean =>
  isMove(session, target) || Boolean(changes.location?.pool_id);

const movedFields = ({ instructorId, slot }: MoveTarget, plain: Pick<SessionDocument, 'location' | 'notes'>, priceCents: number) => ({
  ...plain,
  instructorId,
  start: new Date(slot.startMs),
  end: new Date(slot.endMs),
  durationMinutes: (slot.endMs - slot.startMs) / 60_000,
  priceCents,
  completeAt: completeAt(slot.endMs),
});
