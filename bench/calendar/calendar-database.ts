import crypto from 'node:crypto';
import { formatApiKey, hashKeyDigest, newId, parseApiKey } from '@swim/platform';
import { BSON, MongoClient } from 'mongodb';
import type { Dataset } from '../booking/dataset.ts';
import { createStore, WEEK_SESSIONS, weekRange } from './stored-sessions.ts';

const BATCH = 5_000;
const LOGGED_EVERY = 100_000;
const MEASURED_DAYS = 100;
const COPIED = ['accounts', 'instructors', 'members'];
const DAY_MS = 86_400_000;

type StoredLesson = ReturnType<ReturnType<typeof createStore>['lesson']>;

/** The elements of each day document, by its id. */
type DaysByInstructor = Map<string, ReturnType<typeof elementOf>[]>;

interface Stored {
  _id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each collection has documents of its own.
  [field: string]: any;
}

interface FillOptions {
  env: 'live' | 'test';
  count: number;
  dataset: Dataset;
  log: (line: string) => void;
}

/** Writes data into the stack's databases that would take hours through the API, and reads results. */
export class CalendarDatabase {
  readonly #client: MongoClient;
  readonly #prefix: string;

  /** @param env - of the stack: MONGODB_URI and DATABASE_PREFIX. */
  constructor({ MONGODB_URI = '', DATABASE_PREFIX = '' }: Record<string, string>) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
  }

  /** Takes so many claims on one day of each instructor, one after the other between midnight and a minute of the day. */
  async fillDays(instructorIds: string[], dayMs: number, claims: number, untilMinute: number) {
    const stepMs = Math.floor((untilMinute * 60_000) / claims);
    const busyOf = () =>
      Array.from({ length: claims }, (_, index) =>
        elementOf(dayMs + index * stepMs, dayMs + (index + 1) * stepMs, randomClaim(), newId('ses')),
      );
    const days = instructorIds.map((id) => ({ _id: dayId(id, dayMs), busy: busyOf(), gone: [] }));
    await this.#of('scheduling', 'test', 'days').insertMany(days);
  }

  /**
   * Removes a booking's session and claim. Idempotent: when the outcome of the claim is unknown, it may be stored only
   * later.
   * @param booking - of one session, and the days it has time on.
   */
  async takeAway({ bookingId, sessionId, dayIds }: { bookingId: string; sessionId: string; dayIds: string[] }) {
    const of = (name: string) => this.#of('scheduling', 'test', name);
    await of('claims').findOneAndDelete({ key: bookingId });
    await Promise.all([
      of('days').updateMany({ _id: { $in: dayIds } }, { $pull: { busy: { h: sessionId } as never } }),
      of('sessions').deleteMany({ _id: sessionId }),
    ]);
  }

  /**
   * Copies the people of the sandbox to the live side.
   * @param key - of the sandbox.
   * @returns a live key of the same account.
   */
  async openLive(key: string, pepper: string): Promise<string> {
    for (const name of COPIED) {
      const documents = await this.#of('people', 'test', name).find().toArray();
      // The accounts of the demo are on the live side already.
      const copies = documents.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
      }));
      await this.#of('people', 'live', name).bulkWrite(copies);
    }
    const known = await this.#of('people', 'test', 'api_keys').findOne({ _id: parseApiKey(key)!.keyId });
    const liveKey = formatApiKey('live', newId('key'));
    const { keyId, digest } = parseApiKey(liveKey)!;
    const hash = hashKeyDigest(digest, Buffer.from(pepper, 'base64')).toString('base64');
    await this.#of('people', 'live', 'api_keys').insertOne({ ...known, _id: keyId, hash, last4: liveKey.slice(-4) });
    return liveKey;
  }

  /**
   * Stores sessions, their claims and the days of their instructors.
   * @returns the week in which the family has `WEEK_SESSIONS`, the same everywhere.
   */
  async fill({ env, count, dataset, log }: FillOptions): Promise<{ from: string; to: string }> {
    const store = createStore(dataset);
    const week = Array.from({ length: WEEK_SESSIONS }, (_, index) => store.lessonOfWeek(index));
    await this.#insert(env, week);
    const days: DaysByInstructor = new Map();
    for (let from = 0; from < count; from += BATCH) {
      const length = Math.min(BATCH, count - from);
      const lessons = Array.from({ length }, (_, index) => store.lesson(from + index));
      for (const lesson of lessons) putOnDay(days, lesson);
      await this.#insert(env, lessons);
      const stored = from + length;
      if (stored % LOGGED_EVERY === 0) log(`${stored.toLocaleString('en-GB')} sessions stored`);
    }
    await this.#insertDays(env, days);
    return weekRange();
  }

  /**
   * @param instructorIds - of whom scheduling has written all days from today on.
   * @returns BSON size of an element of these days.
   */
  async bytesOfElements(instructorIds: string[]): Promise<{ elements: number; bytes: number }> {
    const [today, later] = [0, MEASURED_DAYS].map((days) => dateOf(Date.now() + days * DAY_MS));
    const ranges = instructorIds.map((id) => ({ _id: { $gt: `${id}:${today}`, $lt: `${id}:${later}` } }));
    const filter = { $or: ranges, 'busy.0': { $exists: true }, gone: [] };
    const found = await this.#of('scheduling', 'test', 'days').find(filter).toArray();
    const busy = found.map((day) => day.busy);
    const elements = busy.reduce((sum, each) => sum + each.length, 0);
    return { elements, bytes: busy.reduce((sum, each) => sum + BSON.calculateObjectSize(each), 0) / elements };
  }

  async close() {
    await this.#client.close();
  }

  async #insert(env: 'live' | 'test', lessons: StoredLesson[]) {
    const [sessions, claims] = [this.#of('scheduling', env, 'sessions'), this.#of('scheduling', env, 'claims')];
    await Promise.all([
      sessions.insertMany(
        lessons.map(({ session }) => session),
        { ordered: false },
      ),
      claims.insertMany(
        lessons.map(({ claim }) => claim),
        { ordered: false },
      ),
    ]);
  }

  async #insertDays(env: 'live' | 'test', days: DaysByInstructor) {
    const documents = [...days].map(([_id, busy]) => ({ _id, busy, gone: [] }));
    for (let from = 0; from < documents.length; from += BATCH) {
      await this.#of('scheduling', env, 'days').insertMany(documents.slice(from, from + BATCH), { ordered: false });
    }
  }

  #of(service: string, env: 'live' | 'test', name: string) {
    return this.#client.db(`${this.#prefix}_${service}_${env}`).collection<Stored>(name);
  }
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayId = (resource: string, ms: number) => `${resource}:${dateOf(ms)}`;
const randomClaim = () => crypto.randomBytes(12).toString('base64url');
const elementOf = (startMs: number, endMs: number, claimId: string, sessionId: string) => ({
  s: new Date(startMs),
  e: new Date(endMs),
  c: claimId,
  h: [sessionId],
});

function putOnDay(days: DaysByInstructor, { session: { _id, instructorId, start, end, claimId } }: StoredLesson) {
  const id = dayId(instructorId, start.getTime());
  const busy = days.get(id) ?? [];
  busy.push(elementOf(start.getTime(), end.getTime(), claimId, _id));
  days.set(id, busy);
}
