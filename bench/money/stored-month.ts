import { newId } from '@swim/platform';
import { MongoClient } from 'mongodb';
import type { Dataset } from '../booking/dataset.ts';

const BATCH = 2_000;
const LESSON_MS = 30 * 60_000;
const FEWEST_DAYS = 28;
const PRICE_CENTS = 2_400;

interface Stored {
  _id: string;
}

/** A past month, written into the databases of the stack: nobody gives thousands of lessons through the API. */
export class StoredMonth {
  readonly #client: MongoClient;
  readonly #prefix: string;
  /** `YYYY-MM`. */
  readonly name = '2025-03';
  /** What the payments of all its lessons charged. */
  chargedCents = 0;

  /** @param env - of the stack: MONGODB_URI and DATABASE_PREFIX. */
  constructor({ MONGODB_URI = '', DATABASE_PREFIX = '' }: Record<string, string>) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
  }

  /** Stores lessons that were given and paid, each with its booking, spread over the hours of the month. */
  async fill(dataset: Dataset, count: number) {
    for (let from = 0; from < count; from += BATCH) {
      const length = Math.min(BATCH, count - from);
      const lessons = Array.from({ length }, (_, index) => this.#lesson(dataset, from + index, count));
      await Promise.all([
        this.#of('scheduling', 'sessions').insertMany(lessons.map(({ session }) => session)),
        this.#of('booking', 'bookings').insertMany(lessons.map(({ booking }) => booking)),
      ]);
    }
    this.chargedCents = count * PRICE_CENTS;
  }

  async close() {
    await this.#client.close();
  }

  #lesson({ familyId, schoolId, pairs }: Dataset, index: number, count: number) {
    const { instructorId, memberId } = pairs[index % pairs.length]!;
    const monthMs = Date.parse(`${this.name}-02T00:00:00Z`);
    const start = new Date(monthMs + Math.floor((index / count) * FEWEST_DAYS * 24) * 3_600_000);
    const end = new Date(start.getTime() + LESSON_MS);
    const [sessionId, bookingId, paymentId] = [newId('ses'), newId('bkg'), newId('pay')];
    const made = { rev: 2, eventCount: 2, outbox: [], ops: [], createdAt: start, updatedAt: end };
    const who = { readers: [familyId, schoolId], accountId: familyId, schoolId, instructorId };
    const states = { status: 'completed', attendance: 'attended', version: 2 };
    const session = {
      ...{ _id: sessionId, ...who, memberId, bookingId, start, end, durationMinutes: 30, ...states, ...made },
      ...{ priceCents: PRICE_CENTS, currency: 'EUR', location: null, notes: null, cancellation: null },
      ...{ gen: 0, claimId: bookingId, drop: [], dueAt: null, nextDueAt: null },
    };
    const at = start.toISOString();
    const booked = { id: sessionId, memberId, date: at, endDate: end.toISOString(), durationMinutes: 30 };
    const booking = {
      ...{ _id: bookingId, ...who, memberIds: [memberId], paymentMethodId: null, notes: null, status: 'completed' },
      ...{ cause: {}, requested: null, prepay: false, skipped: null, amountCents: PRICE_CENTS, currency: 'EUR' },
      sessions: [{ ...booked, priceCents: PRICE_CENTS, ...states }],
      payments: [{ id: paymentId, amountCents: PRICE_CENTS, dueCents: PRICE_CENTS, at, state: 'succeeded' }],
      movements: [{ kind: 'charge', amountCents: PRICE_CENTS, at, of: paymentId }],
      ...{ expiresAt: null, freeing: false, attempt: 1, nextAt: null, rejection: null, failedAt: null, version: 2 },
      ...made,
    };
    return { session, booking };
  }

  #of(service: string, name: string) {
    return this.#client.db(`${this.#prefix}_${service}_test`).collection<Stored>(name);
  }
}
