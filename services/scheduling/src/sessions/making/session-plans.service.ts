import { Injectable } from '@nestjs/common';
import {
  type claimBooking,
  type Location,
  type makeSession,
  type ParsedOf,
  priceCents,
  privateLessonId,
  teachingWarnings,
  timeReason,
} from '@swim/contracts';
import { storedMetadata } from '@swim/mongo';
import { AppError, accountTime, Clock, causeOf, clockOffsetIn, type RequestContext, timeOfId } from '@swim/platform';
import { ParticipantResolverService } from '../../participants/participant-resolver.service.js';
import type { Slot, SlotsRequest } from '../../slots/slots.service.js';
import { bookingPlan, imaginedSessions, type SessionPlan } from '../storage/session.rules.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionTexts } from '../storage/session-texts.service.js';

type ClaimInput = ParsedOf<typeof claimBooking>;

/** Where and when the sessions of a booking take place. */
interface BookedPlace {
  location: Location | null;
  slots: Slot[];
}

/** Plans the sessions of a claim; a plan is stored with its claim, so that recovery can make them. */
@Injectable()
export class SessionPlansService {
  constructor(
    private readonly participants: ParticipantResolverService,
    private readonly texts: SessionTexts,
    private readonly clock: Clock,
  ) {}

  /** The claim and the plan of one session outside a booking; rejects what the rules forbid. */
  async planSingle(
    input: ParsedOf<typeof makeSession>,
    id: string,
    context: RequestContext,
  ): Promise<SlotsRequest & { single: SessionPlan }> {
    const { env } = context.principal;
    const known = await this.participants.resolveOne(context, input);
    const { accountId, instructor, policies, rules } = known;
    context.warnings.push(...teachingWarnings(known, [input.date]));
    const nowMs = accountTime(this.clock, env, rules.clockOffsetMs).getTime();
    const startMs = requireBookable(Date.parse(input.date), nowMs);
    if (policies?.requirePrepayment) throw new AppError('prepayment_required', { field: 'instructor_id' });
    const endMs = startMs + input.duration_minutes * 60_000;
    const memberId = input.member_id;
    const price = priceCents(instructor.hourlyRateCents, input.duration_minutes, instructor.currency);
    const { location, pool } = await this.participants.placeOf(context, input.location ?? null, rules);
    const single: SessionPlan = {
      kind: 'sessions',
      accountId,
      schoolId: rules.schoolId,
      bookingId: null,
      instructorId: rules.instructorId,
      currency: instructor.currency,
      location,
      notes: input.notes ?? null,
      ...(input.metadata ? { metadata: storedMetadata(input.metadata) } : {}),
      ...(rules.connection ? { connection: rules.connection } : {}),
      cause: causeOf(context),
      ...clockOffsetIn(env, rules.clockOffsetMs),
      sessions: [{ id, lessonId: privateLessonId([id]), memberId, startMs, endMs, priceCents: price }],
    };
    const slots = [{ startMs, endMs, sessions: [{ id, memberId }] }];
    const plan = () => this.texts.sealPlan(single);
    const claim = { key: `${id}#0`, fence: context, plan };
    return { ...claim, rules, pool, slots, skip: false, nowMs, single };
  }

  /** The plan of a booking's sessions in these slots, as stored with their claim. */
  planBooking(input: ClaimInput, place: BookedPlace, context: RequestContext): Promise<SessionPlan> {
    return this.texts.sealPlan(planOf(input, place, context));
  }

  /** The sessions of a booking as its claim would make them. */
  imagine(input: ClaimInput, place: BookedPlace, context: RequestContext): SessionDocument[] {
    return imaginedSessions(planOf(input, place, context), timeOfId(input.bookingId).getTime());
  }
}

function planOf(input: ClaimInput, { location, slots }: BookedPlace, context: RequestContext): SessionPlan {
  const metadata = input.single?.metadata;
  return bookingPlan(input, location, slots, {
    cause: causeOf(context),
    ...clockOffsetIn(context.principal.env, input.rules.clockOffsetMs),
    ...(metadata ? { metadata: storedMetadata(metadata) } : {}),
  });
}

/** The start; throws `in_past`, `too_far_ahead`. */
export function requireBookable(startMs: number, nowMs: number, field = 'date'): number {
  const reason = timeReason(startMs, nowMs);
  if (reason) throw new AppError(reason, { field });
  return startMs;
}
