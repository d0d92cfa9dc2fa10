import type { CancellationQuote, Session, SessionObject } from '@swim/contracts';
import { metadataOf } from '@swim/mongo';
import type { CancellationTerms } from './cancellation.rules.js';
import type { SessionDocument } from './session.schema.js';

/** Maps a stored session to the API's JSON. */
export function toSession(document: SessionDocument): Session {
  return {
    id: document._id,
    account_id: document.accountId,
    booking_id: document.bookingId,
    lesson_id: document.lessonId,
    instructor_id: document.instructorId,
    member_id: document.memberId,
    date: document.start.toISOString(),
    end_date: document.end.toISOString(),
    duration_minutes: document.durationMinutes,
    location: document.location,
    notes: document.notes,
    status: document.status,
    attendance: document.attendance,
    cancellation: document.cancellation,
    price_cents: document.priceCents,
    price_reason: document.priceReason ?? null,
    currency: document.currency,
    metadata: metadataOf(document.metadata),
    version: document.version,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

/** Maps a session to its events, which contain neither free text nor metadata. */
export function toSessionObject(document: SessionDocument): SessionObject {
  const { notes: _, metadata: __, price_reason: ___, cancellation, ...object } = toSession(document);
  if (!cancellation) return { ...object, cancellation };
  const { reason: ____, ...visible } = cancellation;
  return { ...object, cancellation: visible };
}

/** Maps the effect of a cancellation to the API's JSON. */
export const toQuote = ({ _id, currency }: SessionDocument, terms: CancellationTerms): CancellationQuote => ({
  session_id: _id,
  late: terms.late,
  free_until: terms.freeUntil.toISOString(),
  fee_cents: terms.feeCents,
  refund_cents: terms.returned.refundCents,
  credit_returned_cents: terms.returned.creditCents,
  makeup_credit: terms.makeupCredit,
  currency,
});
