import { Injectable } from '@nestjs/common';
import {
  endsInTime,
  type ParsedOf,
  priceCents,
  type Session,
  sessionRescheduled,
  sessionUpdated,
  type updateSession,
} from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { SlotsService } from '../calendar/slots.service.js';
import { SuggestionsService } from '../calendar/suggestions.service.js';
import { type KnownInstructor, PlanningService } from './planning.service.js';
import { toSession } from './session.mapper.js';
import {
  completeAt,
  isMove,
  isRescheduled,
  type MoveTarget,
  movedTo,
  nextStatus,
  type SessionChanges,
} from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionClaimsService } from './session-claims.service.js';
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
    private readonly suggestions: SuggestionsService,
    private readonly claims: SessionClaimsService,
  ) {}

  async update({ session_id, changes }: ParsedOf<typeof updateSession>, call: Call): Promise<Session> {
    const session = await this.claims.settled(call, session_id);
    const done = this.sessions.findAnswer(session, call);
    if (done) return done as Session;
    assertChangeable(session, changes);
    const target = movedTo(session, changes);
    if (isMove(session, target)) return this.move({ session, target, changes, gen: session.gen + 1 }, call);
    if (call.dryRun) return toSession({ ...session, ...unmoved(session, changes), version: session.version + 1 });
    const { document, earlierAnswer } = await this.sessions.change(call, session_id, sessionUpdated, (now) => {
      assertChangeable(now, changes);
      return unmoved(now, changes);
    });
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }

  private async party(session: SessionDocument, target: MoveTarget, call: Call): Promise<KnownInstructor> {
    const party = await this.planning.instructor(call, target.instructorId);
    // Another school's instructor would be another lesson, with other readers and rules: book that instead.
    if (party.rules.schoolId !== session.schoolId) throw new AppError('not_found', { field: 'instructor_id' });
    return party;
  }

  private async move(move: Move, call: Call): Promise<Session> {
    const { session, target, changes, gen } = move;
    const { env } = call.principal;
    const nowMs = this.planning.nowMs();
    this.planning.inFuture(target.slot.startMs);
    if (!endsInTime(target.slot.endMs)) throw new AppError('out_of_range', { field: 'date' });
    const { instructor, rules } = await this.party(session, target, call);
    const { pool } = await this.planning.placeOf(call, target.location ?? NOWHERE, rules);
    const moved = movedFields(target, instructor.hourlyRateCents);
    const plan = () => ({ kind: 'move', sessionId: session._id }) as const;
    const request = { key: `${session._id}#${gen}`, rules, pool, slots: [target.slot], skip: false, nowMs, plan };
    if (call.dryRun) {
      const refused = await this.slots.preview(env, request);
      if (refused.length > 0) throw await this.suggestions.refusal(env, refused, request);
      return toSession({ ...session, ...unmoved(session, changes), ...moved, version: session.version + 1 });
    }
    await this.claims.beginMove(call, session._id, gen, (now) => assertChangeable(now, changes));
    try {
      const claimed = await this.slots.claim(env, request);
      if (!claimed.claim) throw await this.suggestions.refusal(env, claimed.refused, request);
      return await this.changeOver(move, { ...moved, claimId: claimed.claim._id }, call);
    } catch (error) {
      await this.claims.abandonMove(call, session._id, gen).catch(() => undefined);
      throw error;
    }
  }

  private async changeOver(
    { session, target, changes, gen }: Move,
    moved: Partial<SessionDocument>,
    call: Call,
  ): Promise<Session> {
    const told = isRescheduled(session, target) ? sessionRescheduled : sessionUpdated;
    const { document, earlierAnswer } = await this.sessions.change(call, session._id, told, (now) => {
      if (now.move?.gen !== gen) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      const drop = [...now.drop, now.claimId];
      return { ...unmoved(now, changes), ...moved, gen, move: null, drop, dueAt: this.sessions.cleanUpAt() };
    });
    await this.claims.letGo(call, document);
    return (earlierAnswer as Session | undefined) ?? toSession(document);
  }
}

/** One move: of what, to where, and as which generation of its claims. */
interface Move {
  session: SessionDocument;
  target: MoveTarget;
  changes: SessionChanges;
  gen: number;
}

const NOWHERE = { type: 'home', pool_id: null } as const;

function assertChangeable(session: SessionDocument, { version }: SessionChanges): void {
  if (version !== undefined && version !== session.version) throw new AppError('stale_version', { field: 'version' });
  if (!nextStatus(session.status, 'change'))
    throw new AppError('invalid_state', { details: { status: session.status } });
}

const unmoved = (now: SessionDocument, changes: SessionChanges): Pick<SessionDocument, 'location' | 'notes'> => ({
  location: changes.location ?? now.location,
  notes: changes.notes === undefined ? now.notes : changes.notes,
});

function movedFields({ instructorId, slot }: MoveTarget, hourlyRateCents: number) {
  const durationMinutes = (slot.endMs - slot.startMs) / 60_000;
  return {
    instructorId,
    start: new Date(slot.startMs),
    end: new Date(slot.endMs),
    durationMinutes,
    priceCents: priceCents(hourlyRateCents, durationMinutes),
    completeAt: completeAt(slot.endMs),
  };
}
