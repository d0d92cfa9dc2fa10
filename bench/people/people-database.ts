import crypto from 'node:crypto';
import { MongoClient } from 'mongodb';

const HALF_HOUR_MS = 1_800_000;
/** From 06:00 to 18:00 UTC there is a lesson each half hour, whatever the zone of the instructor in Europe. */
const FIRST_LESSON = 12;
const LAST_LESSON = 36;
/** In every zone of the instructors within the afternoon; with the buffer before it, one slot of half an hour is free. */
const FREE_LESSONS = [27, 28];
const REVIEWS = 10;
const WORDS = 'Patient, clear and always on time; our daughter has stopped being afraid of deep water. '.repeat(3);

/** Writes the data of months of lessons directly into the databases of people and scheduling. */
export class PeopleDatabase {
  readonly #client: MongoClient;
  readonly #prefix: string;

  /** @param env - of the stack: MONGODB_URI and DATABASE_PREFIX. */
  constructor({ MONGODB_URI = '', DATABASE_PREFIX = '' }: Record<string, string>) {
    this.#client = new MongoClient(MONGODB_URI);
    this.#prefix = DATABASE_PREFIX;
  }

  /** Gives instructors ten reviews to show. */
  async review(ids: string[]) {
    const reviews = Array.from({ length: REVIEWS }, (_, index) => ({
      id: `rev_${index}`,
      stars: 4 + (index % 2),
      comment: WORDS,
      created_at: new Date().toISOString(),
    }));
    const rating = { average: 4.5, count: REVIEWS };
    await this.#of('people', 'instructors').updateMany({ _id: { $in: ids } }, { $set: { rating, reviews } });
  }

  /** Books instructors' days, but for one slot of those who are not full. */
  async fillCalendars(instructors: { id: string; isFull: boolean }[], dates: string[]) {
    const days = instructors.flatMap(({ id, isFull }) => dates.map((date) => dayOf(id, date, isFull)));
    await this.#of('scheduling', 'days').insertMany(days);
  }

  async close() {
    await this.#client.close();
  }

  #of(service: string, name: string) {
    return this.#client
      .db(`${this.#prefix}_${service}_test`)
      .collection<{ _id: string; [field: string]: unknown }>(name);
  }
}

/** A day document of scheduling. */
function dayOf(instructorId: string, date: string, isFull: boolean) {
  const midnight = Date.parse(date);
  const lessons = Array.from({ length: LAST_LESSON - FIRST_LESSON }, (_, index) => FIRST_LESSON + index);
  const busy = lessons
    .filter((lesson) => isFull || !FREE_LESSONS.includes(lesson))
    .map((lesson) => {
      const session = `ses_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`;
      const startMs = midnight + lesson * HALF_HOUR_MS;
      return { s: new Date(startMs), e: new Date(startMs + HALF_HOUR_MS), c: `${session}#0`, h: [session] };
    });
  return { _id: `${instructorId}:${date}`, busy, gone: [] };
}
