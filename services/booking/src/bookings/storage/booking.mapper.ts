import type { Booking, BookingObject, Session } from '@swim/contracts';
import { metadataOf, shownDate } from '@swim/mongo';
import { creditedCents, dueCents, paidCents } from '../../money/balance.rules.js';
import { toReturnCents } from '../../money/returns.rules.js';
import type { BookedSession } from '../../money/session-billing.rules.js';
import { inOrder } from '../request/booking.rules.js';
import type { BookingDocument, FirstBooking } from './booking.schema.js';
import { paymentStatusOfBooking } from './consequences.rules.js';

type AnsweredSession = Booking['sessions'][number];
type Answerable = FirstBooking & Pick<BookingDocument, 'createdAt' | 'updatedAt'>;

const toAnswered = ({
  id,
  lesson_id,
  instructor_id,
  member_id,
  date,
  end_date,
  duration_minutes,
  status,
  version,
}: Session): AnsweredSession => ({
  id,
  lesson_id,
  instructor_id,
  member_id,
  date,
  end_date,
  duration_minutes,
  status,
  version,
});

/** Maps a stored booking to the API's JSON, with its current sessions from scheduling. */
export function toBooking(document: BookingDocument, sessions: Session[]): Booking {
  return bookingOf(document, inOrder(sessions, document.memberIds).map(toAnswered));
}

/** Maps a booking to its events, without notes and metadata. Without `sessions` it has them as stored. */
export function toBookingObject(document: BookingDocument, sessions?: Session[]): BookingObject {
  const answered = sessions?.map(toAnswered) ?? document.sessions.map(fromStored);
  const { notes: _, metadata: __, ...object } = bookingOf(document, inOrder(answered, document.memberIds));
  return object;
}

/** The response of a dry run. */
export function toDryRunResult(first: FirstBooking, now: Date): Booking {
  const answered = inOrder(first.sessions.map(fromStored), first.memberIds);
  return bookingOf({ ...first, createdAt: now, updatedAt: now }, answered);
}

/** A session as a booking stores it. */
const fromStored = (session: BookedSession): AnsweredSession => ({
  id: session.id,
  lesson_id: session.lessonId,
  instructor_id: session.instructorId,
  member_id: session.memberId,
  date: session.date,
  end_date: session.endDate,
  duration_minutes: session.durationMinutes,
  status: session.status ?? 'scheduled',
  version: session.version,
});

function bookingOf(document: Answerable, sessions: AnsweredSession[]): Booking {
  return {
    id: document._id,
    account_id: document.accountId,
    instructor_id: document.instructorId,
    member_ids: document.memberIds,
    session_ids: document.sessions.map(({ id }) => id),
    sessions,
    payment_method_id: document.paymentMethodId,
    makeup_credit_id: document.creditId ?? null,
    notes: document.notes,
    metadata: metadataOf(document.metadata),
    status: document.status,
    payment_status: paymentStatusOfBooking(document),
    amount_cents: document.amountCents,
    // Below 0 while the processor has yet to reject a refund that another one, made there by hand, replaces.
    amount_paid_cents: Math.max(paidCents(document), 0),
    amount_credited_cents: creditedCents(document),
    amount_due_cents: dueCents(document),
    amount_to_return_cents: toReturnCents(document),
    currency: document.currency,
    ...(document.skipped ? { skipped: document.skipped } : {}),
    expires_at: document.expiresAt && shownDate(document, document.expiresAt).toISOString(),
    version: document.version,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}
