import {
  type BookingTerms,
  type claimBooking,
  decidedAt,
  type EventCause,
  type Location,
  type ParsedOf,
  SYSTEM_ACTOR,
  type TeachingRules,
} from '@swim/contracts';
import type { Managed, StoredMetadata } from '@swim/mongo';
import type { ClassLessonsPlan, LessonPlan } from '../../lessons/lesson-fulfilment.service.js';
import type { NewLesson } from '../../lessons/lessons.repository.js';
import { lessonIdOf, type Slot } from '../../slots/slot.rules.js';
import type { SessionDocument } from './session.schema.js';

/** Fields of a new session; the rest is the aggregate's. */
export type NewSession = Omit<SessionDocument, Managed>;

/** A session to be made in a lesson. */
export interface PlannedSession {
  id: string;
  lessonId: string;
  memberId: string;
  startMs: number;
  endMs: number;
  priceCents: number;
  /** The school has set the price. */
  priceIsSet?: true;
  /** Why; in a stored plan it stands in `sealedReasons`. */
  priceReason?: string | null;
  /** Instructor and place of a lesson that exists; absent: those of the plan. */
  of?: { instructorId: string; location: Location | null };
}

/** The sessions of one claim, and their common fields: stored in the claim, so that recovery can make them. */
export interface SessionPlan {
  kind: 'sessions';
  accountId: string;
  schoolId: string;
  bookingId: string | null;
  instructorId: string;
  currency: string;
  location: Location | null;
  notes: string | null;
  /** Metadata of a session that was requested by itself. */
  metadata?: StoredMetadata | undefined;
  terms?: BookingTerms | undefined;
  /** The notes as stored with a claim: encrypted, base64. */
  sealedNotes?: string;
  /** JSON of the reasons of its sessions' prices, in their order, in the same way. */
  sealedReasons?: string;
  cause: EventCause;
  sessions: PlannedSession[];
  /** Offset of the clock of its account or its school when it was made; absent: 0. */
  clockOffsetMs?: number;
  /** The class of an enrollment. */
  classId?: string;
  /** The hold that the sessions come from. */
  holdId?: string;
  /** By which they are planned. */
  connection?: TeachingRules['connection'] | undefined;
}

/** The sessions of a booking in these slots, with the prices of its request. */
export function bookingPlan(
  input: ParsedOf<typeof claimBooking>,
  location: Location | null,
  slots: Slot[],
  { cause, ...made }: Pick<SessionPlan, 'cause' | 'clockOffsetMs' | 'metadata'>,
): SessionPlan {
  const requested = new Map(input.slots.map((slot) => [Date.parse(slot.date), slot]));
  return {
    kind: 'sessions',
    accountId: input.accountId,
    schoolId: input.rules.schoolId,
    bookingId: input.bookingId,
    ...(input.classId ? { classId: input.classId } : {}),
    instructorId: input.rules.instructorId,
    currency: input.currency,
    location,
    notes: input.notes,
    terms: input.terms,
    connection: input.rules.connection,
    cause,
    ...made,
    sessions: slots.flatMap(({ startMs, endMs, sessions, place, ...of }) => {
      const { priceCents, priceIsSet, priceReason } = requested.get(startMs)!;
      const planned = {
        lessonId: lessonIdOf({ sessions, ...of }),
        startMs,
        endMs,
        priceCents,
        ...(priceIsSet ? { priceIsSet: true as const, priceReason: priceReason ?? null } : {}),
        ...(place?.of ? { of: place.of } : {}),
      };
      return sessions.map(({ id, memberId }) => ({ id, memberId, ...planned }));
    }),
  };
}

/** A move of one session to the time of the claim. */
export interface MovePlan {
  kind: 'move';
  sessionId: string;
  /** The generation of the session that it makes. */
  gen: number;
  /** The lesson that it goes to. */
  lesson: MoveLesson;
}

/** The lesson that a moved session goes to. */
export interface MoveLesson {
  id: string;
  /** `own`: the session is alone in its lesson, and takes it along; `new`: it leaves one; `joined`: it takes a place in another. */
  kind: 'own' | 'new' | 'joined';
  /** The capacity of a new lesson is that of the one that the session leaves, so that the others can follow. */
  capacity?: number;
}

/** A move of a lesson with all of its sessions to the time of the claim. */
export interface LessonMovePlan {
  kind: 'lesson-move';
  lessonId: string;
  /** The claim that the lesson leaves. */
  from: string;
  cause: EventCause;
}

/** The purpose of a claim. */
export type ClaimPlan = SessionPlan | MovePlan | LessonPlan | ClassLessonsPlan | LessonMovePlan;

/** The documents of a confirmed claim's plan, which was made at `bookedAtMs`. */
export function sessionsOf(plan: SessionPlan, claimId: string, bookedAtMs: number): NewSession[] {
  const { accountId, schoolId, bookingId, instructorId, currency, location, notes, metadata, terms } = plan;
  const { clockOffsetMs } = plan;
  // Nobody is reminded of demo data, the only sessions that services make by themselves.
  const hasReminders = plan.cause.actor !== SYSTEM_ACTOR;
  return plan.sessions.map(({ id, lessonId, memberId, startMs, endMs, priceCents, priceIsSet, priceReason, of }) => ({
    _id: id,
    readers: [...new Set([accountId, schoolId])],
    accountId,
    schoolId,
    bookingId,
    lessonId,
    instructorId: of?.instructorId ?? instructorId,
    memberId,
    start: new Date(startMs),
    end: new Date(endMs),
    connectionGen: plan.connection?.generation,
    durationMinutes: (endMs - startMs) / 60_000,
    location: of ? of.location : location,
    notes,
    ...(metadata ? { metadata } : {}),
    status: 'scheduled',
    attendance: 'pending',
    cancellation: null,
    priceCents,
    ...(priceIsSet ? { priceIsSet } : {}),
    ...(priceReason ? { priceReason } : {}),
    ...(terms ? { terms } : {}),
    currency,
    version: 1,
    gen: 0,
    claimId,
    drop: [],
    left: [],
    nextDueAt: nextDueAt(inRealTime({ startMs, endMs }, clockOffsetMs), hasReminders ? bookedAtMs : Infinity),
    dueAt: null,
    ...(clockOffsetMs ? { clockOffsetMs } : {}),
  }));
}

/** The sessions of a plan as they would be, were it made now; they are not stored. */
export const imaginedSessions = (plan: SessionPlan, nowMs: number): SessionDocument[] =>
  sessionsOf(plan, '', nowMs).map(
    (fields) => ({ ...fields, createdAt: new Date(nowMs), updatedAt: new Date(nowMs) }) as SessionDocument,
  );

/** The private lessons that these sessions of one request make, in the state of their sessions. */
export function privateLessonsOf(sessions: readonly NewSession[]): NewLesson[] {
  return [...Map.groupBy(sessions, ({ lessonId }) => lessonId)].map(([_id, group]) => {
    const [first] = group as [NewSession, ...NewSession[]];
    const { schoolId, accountId, bookingId, instructorId, location, start, end, durationMinutes } = first;
    return {
      _id,
      readers: [...new Set([schoolId, accountId])],
      schoolId,
      classId: null,
      bookingId,
      isPrivate: true,
      instructorId,
      location,
      start,
      end,
      durationMinutes,
      capacity: group.length,
      bookable: false,
      levels: [],
      minAgeYears: null,
      maxAgeYears: null,
      priceCents: first.priceCents,
      currency: first.currency,
      status: 'scheduled',
      version: 1,
      gen: 0,
      claimId: first.claimId,
      moving: null,
      busy: group.map((each) => ({ s: start, e: end, c: each.claimId, h: each._id })),
      gone: [],
      nextDueAt: completeAt(realTimesOf(first)),
      ...(first.clockOffsetMs ? { clockOffsetMs: first.clockOffsetMs } : {}),
    };
  });
}

/** The fields of a session that decide which claims it owns. */
export type Ownership = Pick<SessionDocument, '_id' | 'claimId' | 'drop' | 'status'>;

/** Whether a session owns a fulfilled claim: it has its time from it, or has yet to release it. */
export function isOwnerOf(claim: { _id: string }, session: Ownership | undefined): boolean {
  if (!session) return false;
  if (session.drop.includes(claim._id)) return true;
  return session.claimId === claim._id && session.status !== 'cancelled';
}

const HOUR_MS = 3_600_000;
/** How long before a session its reminders are due (contract, Events and webhooks). */
const REMINDERS_MS = [24 * HOUR_MS, 2 * HOUR_MS];
const COMPLETE_AFTER_MS = HOUR_MS / 4;

/** The time of a session, in epoch ms. */
interface Times {
  startMs: number;
  endMs: number;
}

/** The time of a session whose clock is ahead by `offsetMs`, in real time. */
const inRealTime = ({ startMs, endMs }: Times, offsetMs = 0): Times => ({
  startMs: startMs - offsetMs,
  endMs: endMs - offsetMs,
});

/** The same of a stored session. */
const realTimesOf = ({ start, end, clockOffsetMs }: Pick<SessionDocument, 'start' | 'end' | 'clockOffsetMs'>): Times =>
  inRealTime({ startMs: start.getTime(), endMs: end.getTime() }, clockOffsetMs);

/** When the service completes a session by itself: 15 minutes after its end (contract, Sessions). */
export const completeAt = ({ endMs }: Pick<Times, 'endMs'>): Date => new Date(endMs + COMPLETE_AFTER_MS);

/** The first instant after `afterMs` at which a scheduled session is due: for a reminder, else for its completion. */
export function nextDueAt({ startMs, endMs }: Times, afterMs: number): Date {
  const reminder = REMINDERS_MS.map((beforeMs) => startMs - beforeMs).find((dueMs) => dueMs > afterMs);
  return reminder === undefined ? completeAt({ endMs }) : new Date(reminder);
}

/** The same of a stored session. */
export const nextDueOf = (session: Pick<SessionDocument, 'start' | 'end' | 'clockOffsetMs'>, after: Date): Date =>
  nextDueAt(realTimesOf(session), after.getTime());

/** What is due of a session. */
export type Due = 'reminder' | 'completion' | null;

/**
 * What is due of a scheduled session at `now`. Of several reminders that are due, as after a downtime, one is sent; a session
 * that has begun needs none.
 */
export function dueOf(session: SessionDocument, now: Date): Due {
  const { startMs, endMs } = realTimesOf(session);
  const at = decidedAt(session.nextDueAt, session.clockOffsetMs, now);
  if (session.nextDueAt === null || session.nextDueAt > now) return null;
  if (at.getTime() < startMs) return 'reminder';
  return completeAt({ endMs }) <= at ? 'completion' : null;
}
