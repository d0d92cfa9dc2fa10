import {
  type CancellationQuote,
  cancelSessions,
  claimBooking,
  confirmBooking,
  countLessons,
  type DateConflict,
  type DescribedLesson,
  describeClass,
  describeLessons,
  finalizeAttendances,
  getSession,
  heldSessionSalts,
  type ParsedOf,
  privateLessonId,
  quoteCancellations,
  recordReturns,
  releaseBooking,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { AppError, derivedId } from '@swim/platform';
import type { TestHarness } from '@swim/testing';

type ClaimInput = ParsedOf<typeof claimBooking>;
type Step = 'claim' | 'confirm' | 'release' | 'sessions' | 'quote' | 'cancelAll' | 'finalize' | 'report';

/** A disturbance of one step: before its work, or between its work and its response. */
interface Disturbance {
  before?: () => unknown;
  after?: () => unknown;
}

interface StoredClaim {
  sessions: Session[];
  skipped: { date: string; reason: DateConflict['reason'] }[];
}

const endOf = (date: string, minutes: number): string => new Date(Date.parse(date) + minutes * 60_000).toISOString();

/**
 * A fake of scheduling with an in-memory calendar, so that a test can delay, drop or fail each of its responses. It keeps
 * scheduling's guarantees: exclusive time and idempotent steps.
 */
export class FakeCalendar {
  readonly claims = new Map<string, StoredClaim>();
  /** The lessons of each class. */
  readonly classes = new Map<string, DescribedLesson[]>();
  /** The lessons that begin too soon to be booked. */
  readonly tooSoon = new Set<string>();
  /** The last fenced-off attempt of each booking. */
  private readonly fences = new Map<string, number>();
  /** Sessions whose attendance is final. */
  readonly final = new Set<string>();
  /** The steps that were requested, in order, without reads of sessions. */
  readonly calls: Step[] = [];
  /** The account of each request for sessions. Those of schools may be the reconciler's, which reads at any time. */
  readonly sessionReaders: string[] = [];
  /** How far its clock is ahead: for quotes. */
  aheadMs = 0;
  private readonly disturbed = new Map<Step, Disturbance>();

  constructor(harness: TestHarness) {
    harness.serve(describeClass, ({ classId, memberId }) => ({
      ...{ status: 'open' as const, timezone: 'UTC' },
      lessons: this.classes.get(classId)!.map(({ id, date }) => {
        const isOf = (session: Session) => session.member_id === memberId && session.date === date;
        const isTaken = this.allSessions.some((each) => isOf(each) && each.status === 'scheduled');
        return { id, date, isTaken, canBeBooked: !this.tooSoon.has(id) };
      }),
    }));
    harness.serve(describeLessons, ({ lessonIds }) => {
      const lessons = [...this.classes.values()].flat();
      return lessonIds.map((id) => lessons.find((each) => each.id === id) ?? null);
    });
    harness.serve(claimBooking, (input) => this.during('claim', () => this.claim(input)));
    harness.serve(confirmBooking, ({ bookingId }) => this.during('confirm', () => this.confirm(bookingId)));
    harness.serve(releaseBooking, ({ bookingId, attempt }) =>
      this.during('release', () => this.release(bookingId, attempt)),
    );
    harness.serve(quoteCancellations, (input, { accountId }) =>
      this.during('quote', () => this.quote(input, accountId)),
    );
    harness.serve(cancelSessions, (input, { accountId }) =>
      this.during('cancelAll', () => this.cancelAll(input, accountId)),
    );
    harness.serve(finalizeAttendances, ({ sessions }) =>
      this.during('finalize', () => sessions.map((each) => this.finalize(each))),
    );
    harness.serve(recordReturns, ({ sessions }) =>
      this.during('report', () => {
        for (const { id, refundId, creditId } of sessions) {
          const { cancellation } = this.allSessions.find((session) => session.id === id)!;
          Object.assign(cancellation!, { refund_id: refundId, makeup_credit: creditId });
        }
        return { recorded: true as const };
      }),
    );
    harness.serve(countLessons, ({ boundaries }) => ({
      counts: boundaries.slice(1).map((end, day) => this.given(boundaries[day]!, end)),
    }));
    harness.serve(getSession, ({ session_id }) => this.allSessions.find(({ id }) => id === session_id)!);
    harness.serve(sessionsOfBookings, ({ bookingIds }, { accountId }) => {
      this.sessionReaders.push(accountId);
      return this.during('sessions', () => bookingIds.flatMap((id) => this.confirmedSessions(id)));
    });
  }

  /** Disturbs each request of this step from now on. */
  disturb(step: Step, disturbance: Disturbance): void {
    this.disturbed.set(step, disturbance);
  }

  calm(): void {
    this.disturbed.clear();
    this.aheadMs = 0;
    this.calls.length = 0;
    this.sessionReaders.length = 0;
  }

  confirmedSessions(bookingId: string): Session[] {
    return this.claims.get(bookingId)?.sessions ?? [];
  }

  /** All existing sessions, of any booking. */
  get allSessions(): Session[] {
    return [...this.claims.keys()].flatMap((id) => this.confirmedSessions(id));
  }

  private async during<T>(step: Step, work: () => T): Promise<T> {
    if (step !== 'sessions') this.calls.push(step);
    const disturbance = this.disturbed.get(step);
    await disturbance?.before?.();
    const answer = work();
    await disturbance?.after?.();
    return answer;
  }

  private claim(input: ClaimInput): { sessionIds: string[] } & StoredClaim {
    const live = this.claims.get(input.bookingId);
    if (live) return { sessionIds: live.sessions.map(({ id }) => id), ...live };
    if (input.attempt <= (this.fences.get(input.bookingId) ?? 0)) throw new AppError('busy_retry');
    const busy = input.slots.flatMap((slot) => {
      const reason = this.blocked(input.bookingId, slot, input.rules.instructorId);
      return reason ? [{ slot, reason }] : [];
    });
    const free = input.slots.filter((slot) => !busy.some((each) => each.slot === slot));
    if (free.length === 0 || (busy.length > 0 && input.onConflict === 'fail')) {
      const conflicts = busy.map(({ slot, reason }) => ({
        index: input.slots.indexOf(slot),
        date: slot.date,
        reason,
        suggestions: [],
      }));
      if (input.single) throw new AppError(busy[0]!.reason, { field: 'date', details: { suggestions: [] } });
      throw new AppError('conflicting_dates', { field: 'sessions', details: { conflicts } });
    }
    // As in scheduling, the sessions of a hold keep the ids that it has given them.
    const startsMs = input.slots.map(({ date }) => Date.parse(date));
    const { holdId } = input;
    const saltOf = heldSessionSalts(startsMs);
    const heldId = (index: number, memberId: string) => holdId && derivedId('ses', holdId, saltOf(index, memberId));
    const sessions = free.flatMap((slot) =>
      slot.sessions.map(({ id, memberId }) =>
        sessionOf(input, slot, { id: heldId(input.slots.indexOf(slot), memberId) || id, memberId }),
      ),
    );
    const skipped = busy.map(({ slot, reason }) => ({ date: slot.date, reason }));
    if (!input.dryRun) this.claims.set(input.bookingId, { sessions, skipped });
    return { sessionIds: sessions.map(({ id }) => id), sessions, skipped };
  }

  private blocked(bookingId: string, slot: ClaimInput['slots'][number], instructorId: string) {
    const end = endOf(slot.date, slot.durationMinutes);
    const others = [...this.claims].flatMap(([id, { sessions }]) => (id === bookingId ? [] : sessions));
    const meets = others.filter((s) => s.status === 'scheduled' && s.date < end && s.end_date > slot.date);
    if (meets.some((session) => session.instructor_id === instructorId)) return 'instructor_busy' as const;
    const members = slot.sessions.map(({ memberId }) => memberId);
    return meets.some((session) => members.includes(session.member_id)) ? ('member_busy' as const) : null;
  }

  private confirm(bookingId: string): StoredClaim {
    const claim = this.claims.get(bookingId);
    if (!claim) throw new AppError('invalid_state');
    return claim;
  }

  private release(bookingId: string, attempt: number): { state: 'released' | 'confirmed' } {
    if (this.claims.has(bookingId)) return { state: 'confirmed' };
    this.fences.set(bookingId, attempt);
    return { state: 'released' };
  }

  /** As scheduling: the paid money covers the scheduled sessions in order of date, a missed one up to its fee. */
  private quote({ bookingId, terms, at }: ParsedOf<typeof quoteCancellations>, by: string): CancellationQuote[] {
    const now = at ?? new Date(Date.now() + this.aheadMs).toISOString();
    let left = terms.paidCents;
    const sessions = [...this.confirmedSessions(bookingId)].sort((a, b) => (a.date < b.date ? -1 : 1));
    return sessions.flatMap((session) => {
      const kept = terms.missedFees?.find(({ sessionId }) => sessionId === session.id)?.feeCents;
      const covered = Math.min(left, kept ?? session.price_cents);
      left -= covered;
      if (session.status !== 'scheduled' || session.date <= now) return [];
      const freeUntil = new Date(Date.parse(session.date) - terms.freeCancellationHours * 3_600_000).toISOString();
      const late = freeUntil < now;
      const isCharged = late && by === session.account_id;
      const fee = isCharged ? (session.price_cents * terms.lateFeePercent) / 100 : 0;
      const quote = { session_id: session.id, late, free_until: freeUntil, fee_cents: fee };
      return [
        {
          ...quote,
          refund_cents: Math.max(covered - fee, 0),
          credit_returned_cents: 0,
          makeup_credit: false,
          currency: session.currency,
        },
      ];
    });
  }

  private cancelAll({ sessions, reason, notifyParticipants }: ParsedOf<typeof cancelSessions>, by: string): Session[] {
    return sessions.map(({ id, late, feeCents, creditId = null }) => {
      const session = this.allSessions.find((each) => each.id === id)!;
      if (session.status !== 'scheduled') return session;
      const cancelled = this.cancel(id, reason, by);
      Object.assign(cancelled.cancellation!, {
        late,
        fee_cents: feeCents,
        participants_notified: notifyParticipants,
        makeup_credit: creditId,
      });
      return Object.assign(cancelled, { version: session.version + 1 });
    });
  }

  private given(from: string, to: string): number {
    const given = this.allSessions.filter(({ status, date }) => status === 'completed' && date >= from && date < to);
    return given.length;
  }

  private finalize({ id, version }: { id: string; version: number }) {
    const { notes: _, cancellation, ...session } = this.allSessions.find((each) => each.id === id)!;
    if (session.version === version && session.status !== 'cancelled') this.final.add(id);
    return { session: { ...session, cancellation }, isFinal: this.final.has(id) };
  }

  private cancel(sessionId: string, reason: string | null, by: string): Session {
    const session = this.allSessions.find(({ id }) => id === sessionId);
    if (!session) throw new AppError('resource_not_found');
    if (session.status === 'completed') throw new AppError('invalid_state');
    session.status = 'cancelled';
    session.cancellation = {
      reason,
      cancelled_at: new Date().toISOString(),
      cancelled_by: by,
      participants_notified: false,
      late: false,
      fee_cents: 0,
      refund_id: null,
      makeup_credit: null,
    };
    return session;
  }
}

function sessionOf(
  input: ClaimInput,
  slot: ClaimInput['slots'][number],
  each: { id: string; memberId: string },
): Session {
  const now = new Date().toISOString();
  return {
    id: each.id,
    account_id: input.accountId,
    booking_id: input.bookingId,
    lesson_id: privateLessonId(slot.sessions.map(({ id }) => id)),
    instructor_id: input.rules.instructorId,
    member_id: each.memberId,
    date: slot.date,
    end_date: endOf(slot.date, slot.durationMinutes),
    duration_minutes: slot.durationMinutes,
    location: input.location,
    notes: input.notes,
    status: 'scheduled',
    attendance: 'pending',
    cancellation: null,
    price_cents: slot.priceCents,
    price_reason: slot.priceReason ?? null,
    currency: input.currency,
    metadata: input.single?.metadata ?? {},
    version: 1,
    created_at: now,
    updated_at: now,
  };
}
