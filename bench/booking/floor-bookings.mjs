import {
  bookingJson,
  dayIdOf,
  eventCopy,
  newBooking,
  newClaim,
  newEvent,
  newSession,
  sessionJson,
} from './floor-documents.mjs';

const MARK_MS = 50;
const HOLD_MS = 60_000;
const DUPLICATE = 11_000;

/** Makes bookings as our services do, command for command, but in one process and with the driver alone. */
export class FloorBookings {
  #pending = new Set();
  #sequences = new Map();
  #sent = { bookings: [], sessions: [] };
  #marker = null;

  /** @param {import('mongodb').Db} db */
  constructor(db) {
    const names = ['instructors', 'members', 'accounts', 'bookings', 'claims', 'days', 'sessions', 'events'];
    this.collections = Object.fromEntries(names.map((name) => [name, db.collection(name)]));
  }

  /** @returns {number} pieces of work that go on after their answers. */
  get pending() {
    return this.#pending.size + (this.#marker ? 1 : 0);
  }

  /** @returns {Promise<object|null>} the session as the API answers it. */
  async findSession(id, accountId) {
    const session = await this.collections.sessions.findOne({ _id: id, readers: accountId });
    return session && sessionJson(session);
  }

  /**
   * @param {object} wanted a body of POST /v1/bookings with one date and one member.
   * @returns {Promise<object|null>} the booking as the API answers it; null when it cannot be had.
   */
  async book(wanted, accountId, requestId) {
    const { bookings, claims, sessions } = this.collections;
    const party = await this.#findParty(wanted, accountId);
    if (!party) return null;
    const booking = newBooking({ wanted, ...party, requestId });
    await bookings.insertOne(booking);
    const claim = await this.#take(booking);
    if (!claim) return null;
    await this.#findLive(booking._id);
    const confirmed = { state: 'confirmed', confirmedKey: claim.key, dueAt: new Date(Date.now() + HOLD_MS) };
    await claims.updateOne(
      { _id: claim._id, state: { $in: ['taking', 'held'] } },
      { $set: confirmed, $unset: { until: 1 } },
    );
    const session = newSession(booking, claim);
    await sessions.insertOne(session);
    const made = await this.#markBooked(booking._id, session);
    this.#goOn(() => this.#finish(made, session, claim));
    return bookingJson(made);
  }

  async #findParty({ instructor_id: instructorId, member_ids: [memberId] }, accountId) {
    const { instructors, members, accounts } = this.collections;
    const [instructor, member] = await Promise.all([
      instructors.findOne({ _id: instructorId, readers: { $in: [accountId, 'public'] } }),
      members.findOne({ _id: memberId, readers: accountId }),
    ]);
    const school = instructor && (await accounts.findOne({ _id: instructor.schoolId }));
    return school && member ? { instructor, member } : null;
  }

  #findLive(key) {
    return this.collections.claims
      .find({ key, state: { $in: ['held', 'confirmed'] } })
      .limit(1_000)
      .toArray();
  }

  async #take(booking) {
    const { claims, days } = this.collections;
    await this.#findLive(booking._id);
    const claim = newClaim(booking);
    const locks = claim.elements
      .map((element) => ({ ...element, dayId: dayIdOf(element.resource, element.startMs) }))
      .sort((a, b) => (a.dayId < b.dayId ? -1 : 1));
    const ids = locks.map(({ dayId }) => dayId);
    const known = new Set(
      (
        await days
          .find({ _id: { $in: ids } })
          .limit(1_000)
          .toArray()
      ).map(({ _id }) => _id),
    );
    await claims.insertOne(claim);
    await this.#insertMissing(ids.filter((id) => !known.has(id)));
    for (const lock of locks) if (!(await this.#lock(lock, claim._id))) return null;
    const until = new Date(Date.now() + HOLD_MS);
    await claims.updateOne({ _id: claim._id, state: 'taking' }, { $set: { state: 'held', until, dueAt: until } });
    return claim;
  }

  async #insertMissing(ids) {
    if (ids.length === 0) return;
    try {
      await this.collections.days.insertMany(
        ids.map((_id) => ({ _id, busy: [], gone: [] })),
        { ordered: false },
      );
    } catch (error) {
      if (error.code !== DUPLICATE) throw error;
    }
  }

  async #lock({ dayId, startMs, endMs, holders }, claimId) {
    const [s, e] = [new Date(startMs), new Date(endMs)];
    const inTheWay = { $elemMatch: { s: { $lt: e }, e: { $gt: s }, h: { $ne: holders } } };
    const free = { _id: dayId, gone: { $ne: claimId }, 'busy.c': { $ne: claimId }, busy: { $not: inTheWay } };
    const busy = { $each: [{ s, e, c: claimId, h: holders }] };
    return (await this.collections.days.updateOne(free, { $push: { busy } })).matchedCount === 1;
  }

  async #markBooked(id, session) {
    const { bookings } = this.collections;
    const now = await bookings.findOne({ _id: id });
    const { _id, memberId, start, end, durationMinutes, priceCents, readers } = session;
    const booked = {
      id: _id,
      memberId,
      durationMinutes,
      priceCents,
      date: start.toISOString(),
      endDate: end.toISOString(),
    };
    const changed = { status: 'confirmed', readers, sessions: [booked], asked: null, nextAt: null, rev: now.rev + 1 };
    const after = { ...now, ...changed, updatedAt: new Date(), eventCount: 2 };
    const told = bookingJson(after);
    const outbox = ['booking.created', 'booking.confirmed'].map((type) => newEvent(type, readers, id, told));
    const set = { ...changed, updatedAt: after.updatedAt, eventCount: 2, relayAt: new Date(Date.now() + 2_000) };
    await bookings.updateOne({ _id: id, rev: now.rev }, { $set: set, $push: { outbox: { $each: outbox } } });
    return { ...after, outbox };
  }

  /** What our services do after the answer: settle the claim, store the events, let the school read the member, mark the outboxes. */
  async #finish(booking, session, claim) {
    const { claims, members } = this.collections;
    await claims.updateOne({ _id: claim._id, state: 'confirmed' }, { $unset: { plan: 1, dueAt: 1 } });
    await members.updateOne({ _id: session.memberId }, { $addToSet: { readers: { $each: [session.schoolId] } } });
    for (const event of [...session.outbox, ...booking.outbox])
      await Promise.all(event.audience.map((each) => this.#store(event, each)));
    this.#markSent('sessions', session);
    this.#markSent('bookings', booking);
  }

  async #store(event, account) {
    const sequence = (this.#sequences.get(account) ?? 0) + 1;
    this.#sequences.set(account, sequence);
    await this.collections.events.insertOne(eventCopy(event, account, sequence));
  }

  #markSent(name, { _id, outbox }) {
    this.#sent[name].push({ _id, eventIds: outbox.map(({ id }) => id) });
    this.#marker ??= setTimeout(() => this.#goOn(() => this.#markAll()), MARK_MS);
  }

  async #markAll() {
    this.#marker = null;
    const sent = Object.entries(this.#sent);
    this.#sent = { bookings: [], sessions: [] };
    for (const [name, marks] of sent.filter((each) => each[1].length > 0)) {
      const ids = marks.flatMap(({ eventIds }) => eventIds);
      const rest = { $filter: { input: '$outbox', as: 'event', cond: { $not: [{ $in: ['$$event.id', ids] }] } } };
      const relayAt = { $cond: [{ $eq: [{ $size: '$outbox' }, 0] }, '$$REMOVE', '$relayAt'] };
      const filter = { _id: { $in: marks.map(({ _id }) => _id) } };
      await this.collections[name].updateMany(filter, [{ $set: { outbox: rest } }, { $set: { relayAt } }]);
    }
  }

  #goOn(work) {
    const going = work()
      .catch((error) => console.error(error.message))
      .finally(() => this.#pending.delete(going));
    this.#pending.add(going);
  }
}
