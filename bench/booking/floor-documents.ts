import { newId } from '@swim/platform';
import type { BookingBody } from './dataset.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 12_000;
const DAY_MS = 86_400_000;

/** The documents of the floor, with the same content as ours, so that the database has the same work. */

/** A person as the product stores one. */
export interface Stored {
  _id: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of the product, of which few fields are used.
  [field: string]: any;
}

export type FloorDraft = ReturnType<typeof newDraft>;
export type FloorBooking = ReturnType<typeof newBooking>;
export type FloorClaim = ReturnType<typeof newClaim>;
export type FloorSession = ReturnType<typeof newSession>;
export type FloorEvent = ReturnType<typeof newEvent>;

/** A session in the document of its booking. */
interface BookedSession {
  id: string;
  memberId: string;
  date: string;
  endDate: string;
  durationMinutes: number;
  priceCents: number;
}

interface NewDraft {
  requested: BookingBody;
  instructor: Stored;
  member: Stored;
  requestId: string;
}

export function newDraft({ requested, instructor, member, requestId }: NewDraft) {
  const { date, duration_minutes: durationMinutes } = requested.sessions[0]!;
  return {
    _id: newId('bkg'),
    accountId: member.accountId,
    state: 'claiming',
    cause: { requestId, idempotencyKey: null, actor: 'bench' },
    times: { slots: [{ date, durationMinutes, sessions: [{ id: newId('ses'), memberId: member._id }] }] },
    booking: {
      schoolId: instructor.schoolId as string,
      instructorId: instructor._id,
      memberIds: requested.member_ids,
      paymentMethodId: null,
      notes: null,
      prepay: false,
      currency: instructor.currency as string,
    },
    priceCents: Math.round((instructor.hourlyRateCents * durationMinutes) / 60),
    attempt: 1,
    nextAt: new Date(Date.now() + LEASE_MS),
  };
}

/** The booking of a draft, whose session is made. */
export function newBooking({ _id, accountId, booking }: FloorDraft, session: FloorSession) {
  const { memberId, start, end, durationMinutes, priceCents, readers } = session;
  const booked: BookedSession = {
    id: session._id,
    memberId,
    durationMinutes,
    priceCents,
    date: start.toISOString(),
    endDate: end.toISOString(),
  };
  const now = new Date();
  return {
    _id,
    readers,
    accountId,
    ...booking,
    status: 'confirmed',
    sessions: [booked],
    skipped: null,
    amountCents: priceCents,
    payments: [],
    expiresAt: null,
    freeing: false,
    attempt: 1,
    version: 1,
    nextAt: null,
    rev: 1,
    eventCount: 2,
    outbox: [] as object[],
    ops: [],
    createdAt: now,
    updatedAt: now,
  };
}

export function newClaim(draft: FloorDraft) {
  const { date, durationMinutes, sessions } = draft.times.slots[0]!;
  const startMs = Date.parse(date);
  const endMs = startMs + durationMinutes * MINUTE_MS;
  const holders = sessions.map(({ id }) => id);
  const until = new Date(Date.now() + LEASE_MS);
  const { accountId, cause } = draft;
  const { schoolId, instructorId, currency } = draft.booking;
  return {
    _id: newId('req').slice(-16),
    key: draft._id,
    state: 'taking',
    elements: [instructorId, sessions[0]!.memberId].map((resource) => ({ resource, startMs, endMs, holders })),
    holders,
    skipped: [],
    until,
    dueAt: until,
    createdAt: new Date(),
    plan: {
      accountId,
      schoolId,
      instructorId,
      currency,
      cause,
      bookingId: draft._id,
      sessions: [{ startMs, endMs }],
    },
  };
}

export function newSession(draft: FloorDraft, claim: FloorClaim) {
  const { accountId, priceCents } = draft;
  const { schoolId, instructorId, memberIds, currency } = draft.booking;
  const { startMs, endMs } = claim.elements[0]!;
  const now = new Date();
  return {
    _id: claim.holders[0]!,
    readers: [accountId, schoolId],
    accountId,
    schoolId,
    bookingId: draft._id,
    instructorId,
    memberId: memberIds[0]!,
    start: new Date(startMs),
    end: new Date(endMs),
    durationMinutes: (endMs - startMs) / MINUTE_MS,
    location: null,
    notes: null,
    status: 'scheduled',
    attendance: 'pending',
    cancellation: null,
    priceCents,
    currency,
    version: 1,
    gen: 0,
    claimId: claim._id,
    drop: [],
    dueAt: null,
    rev: 1,
    eventCount: 1,
    ops: [],
    outbox: [] as object[],
    createdAt: now,
    updatedAt: now,
  };
}

export function newEvent(type: string, audience: string[], objectId: string, object: object) {
  const cause = { requestId: null, idempotencyKey: null, actor: 'bench' };
  return { id: newId('evt'), n: 1, type, occurredAt: new Date().toISOString(), audience, objectId, object, cause };
}

/** The copy of an event that one account gets. */
export function eventCopy(
  { id, n, type, occurredAt, audience, objectId, object, cause }: FloorEvent,
  account: string,
  sequence: number,
) {
  const data = JSON.stringify({ object, previous_attributes: null });
  const timestamp = new Date(occurredAt);
  const readers = [account];
  return {
    _id: `${id}${account}`,
    account,
    readers,
    type,
    objectId,
    n,
    copies: audience.length,
    timestamp,
    data,
    cause,
    sequence,
  };
}

export const dayIdOf = (resource: string, startMs: number) =>
  `${resource}:${new Date(startMs - (startMs % DAY_MS)).toISOString().slice(0, 10)}`;

export function bookingJson(booking: FloorBooking) {
  return {
    id: booking._id,
    account_id: booking.accountId,
    instructor_id: booking.instructorId,
    member_ids: booking.memberIds,
    session_ids: booking.sessions.map(({ id }) => id),
    sessions: booking.sessions.map(({ id, memberId, date, endDate, durationMinutes }) => ({
      id,
      member_id: memberId,
      date,
      end_date: endDate,
      duration_minutes: durationMinutes,
      status: 'scheduled',
    })),
    payment_method_id: booking.paymentMethodId,
    notes: booking.notes,
    status: booking.status,
    payment_status: 'unpaid',
    amount_cents: booking.amountCents,
    amount_paid_cents: 0,
    currency: booking.currency,
    expires_at: booking.expiresAt,
    version: booking.version,
    created_at: booking.createdAt.toISOString(),
    updated_at: booking.updatedAt.toISOString(),
  };
}

export function sessionJson(session: Stored) {
  return {
    id: session._id,
    account_id: session.accountId,
    booking_id: session.bookingId,
    instructor_id: session.instructorId,
    member_id: session.memberId,
    date: session.start.toISOString(),
    end_date: session.end.toISOString(),
    duration_minutes: session.durationMinutes,
    location: session.location,
    notes: session.notes,
    status: session.status,
    attendance: session.attendance,
    cancellation: session.cancellation,
    price_cents: session.priceCents,
    currency: session.currency,
    version: session.version,
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
  };
}
