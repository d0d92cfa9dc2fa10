import type { Collection, Db, MongoBulkWriteError } from 'mongodb';
import type { BookingBody } from './dataset.ts';
import {
  bookingJson,
  dayIdOf,
  type FloorBooking,
  type FloorClaim,
  type FloorDraft,
  type FloorSession,
  newBooking,
  newClaim,
  newDraft,
  newEvent,
  newSession,
  type Stored,
  sessionJson,
} from './floor-documents.ts';
import type { FloorOutbox } from './floor-outbox.ts';

const SETTLE_MS = 60_000;
const DUPLICATE = 11_000;

const NAMES = [
  ...['instructors', 'members', 'accounts', 'bookings', 'claims'],
  ...['days', 'drafts', 'sessions', 'lessons', 'idempotency'],
] as Name[];

type Name =
  | 'accounts'
  | 'bookings'
  | 'claims'
  | 'days'
  | 'drafts'
  | 'idempotency'
  | 'instructors'
  | 'lessons'
  | 'members'
  | 'sessions';

type Lock = FloorClaim['elements'][number] & { dayId: string };

/** Makes bookings as our services do, command for command, but in one process and with the driver alone. */
export class FloorBookings {
  readonly #collections: Record<Name, Collection<Stored>>;
  readonly #outbox: FloorOutbox;

  constructor(db: Db, outbox: FloorOutbox) {
    this.#outbox = outbox;
    const all = NAMES.map((name) => [name, db.collection<Stored>(name)] as const);
    this.#collections = Object.fromEntries(all) as Record<Name, Collection<Stored>>;
  }

  /** @returns the session as the API answers it. */
  async findSession(id: string, accountId: string): Promise<object | null> {
    const session = await this.#collections.sessions.findOne({ _id: id, readers: accountId });
    return session && sessionJson(session);
  }

  /**
   * @param requested - a body of POST /v1/bookings with one date and one member.
   * @returns the booking as the API answers it; null when it cannot be had.
   */
  async book(requested: BookingBody, accountId: string, requestId: string): Promise<object | null> {
    const { bookings, claims, drafts, idempotency, sessions } = this.#collections;
    const leaseUntil = new Date(Date.now() + SETTLE_MS);
    await idempotency.insertOne({ _id: requestId, state: 'running', attempt: 1, leaseUntil, createdAt: new Date() });
    const participants = await this.#findParticipants(requested, accountId);
    if (!participants) return null;
    const draft = newDraft({ requested, ...participants, requestId });
    await drafts.insertOne(draft);
    const claim = await this.#take(draft);
    if (!claim) return null;
    const confirmed = { state: 'confirmed', confirmedKey: claim.key, dueAt: new Date(Date.now() + SETTLE_MS) };
    await claims.updateOne(
      { _id: claim._id, state: { $in: ['taking', 'held'] } },
      { $set: confirmed, $unset: { until: 1 } },
    );
    const session = newSession(draft, claim);
    await sessions.insertOne(session);
    const booking = newBooking(draft, session);
    await bookings.insertOne(booking);
    const json = bookingJson(booking);
    const done = { state: 'done', body: JSON.stringify(json) };
    await idempotency.updateOne({ _id: requestId, attempt: 1 }, { $set: done });
    this.#outbox.goOn(() => this.#finish(booking, session, claim));
    return json;
  }

  async #findParticipants(
    { instructor_id: instructorId, member_ids: [memberId = ''] }: BookingBody,
    accountId: string,
  ) {
    const { instructors, members, accounts } = this.#collections;
    const [instructor, member] = await Promise.all([
      instructors.findOne({ _id: instructorId, readers: { $in: [accountId, 'public'] } }),
      members.findOne({ _id: memberId, readers: accountId }),
    ]);
    const school = instructor && (await accounts.findOne({ _id: instructor.schoolId }));
    return instructor && school && member ? { instructor, member } : null;
  }

  async #take(draft: FloorDraft) {
    const { claims, days } = this.#collections;
    const claim = newClaim(draft);
    const locks = claim.elements
      .map((element) => ({ ...element, dayId: dayIdOf(element.resource, element.startMs) }))
      .sort((a, b) => (a.dayId < b.dayId ? -1 : 1));
    await claims.insertOne(claim);
    const { matchedCount } = await days.bulkWrite(
      locks.map((lock) => ({ updateOne: lockOf(lock, claim._id) })),
      { ordered: false },
    );
    return matchedCount === locks.length || (await this.#lockMissing(locks, claim._id)) ? claim : null;
  }

  /** Inserts the days that do not exist, with their lock; returns whether all days are locked then. */
  async #lockMissing(locks: Lock[], claimId: string) {
    const { days } = this.#collections;
    const found = await days
      .find({ _id: { $in: locks.map(({ dayId }) => dayId) } })
      .limit(1_000)
      .toArray();
    const foundDay = ({ dayId }: Lock) => found.find(({ _id }) => _id === dayId);
    const missing = locks.filter((lock) => !foundDay(lock));
    // Other bookings open days meanwhile: those are locked once more.
    const opened = locks.filter((lock) => foundDay(lock)?.busy.every(({ c }: { c: string }) => c !== claimId));
    try {
      const fresh = missing.map((lock) => ({ _id: lock.dayId, busy: [busyOf(lock, claimId)], gone: [] }));
      if (fresh.length > 0) await days.insertMany(fresh, { ordered: false });
    } catch (error) {
      if ((error as MongoBulkWriteError).code !== DUPLICATE) throw error;
      opened.push(...[(error as MongoBulkWriteError).writeErrors].flat().map(({ index }) => missing[index]!));
    }
    if (opened.length === 0) return true;
    const { matchedCount } = await days.bulkWrite(opened.map((lock) => ({ updateOne: lockOf(lock, claimId) })));
    return matchedCount === opened.length;
  }

  /** The services' work after the response: let the school read the member, store the events, end the draft and the claim's plan. */
  async #finish(booking: FloorBooking, session: FloorSession, claim: FloorClaim) {
    const { lessons, members } = this.#collections;
    const { _id, memberId, schoolId, end, status, readers } = session;
    await lessons.insertOne({ _id, memberId, schoolId, endsAt: end, n: 1, status, attendance: 'pending' });
    await members.updateOne({ _id: memberId }, { $set: { schools: [{ id: schoolId, until: end }] }, $inc: { rev: 1 } });
    const object = bookingJson(booking);
    const events = [
      newEvent('session.created', readers, _id, sessionJson(session)),
      ...['booking.created', 'booking.confirmed'].map((type) => newEvent(type, readers, booking._id, object)),
    ];
    await this.#outbox.publish({ events, drafts: booking._id, claims: claim._id });
  }
}

function lockOf(lock: Lock, claimId: string) {
  const busy = busyOf(lock, claimId);
  const inTheWay = { $elemMatch: { s: { $lt: busy.e }, e: { $gt: busy.s }, h: { $ne: busy.h } } };
  const filter = { _id: lock.dayId, gone: { $ne: claimId }, 'busy.c': { $ne: claimId }, busy: { $not: inTheWay } };
  return { filter, update: { $push: { busy: { $each: [busy] } as never } } };
}

const busyOf = ({ startMs, endMs, holders }: Lock, claimId: string) => ({
  s: new Date(startMs),
  e: new Date(endMs),
  c: claimId,
  h: holders,
});
