import { formatApiKey, hashKeyDigest, newId, parseApiKey } from '@swim/platform';
import type { BenchDatabase } from '../stack/database.ts';
import type { Dataset } from '../stack/dataset.ts';
import type { Stack } from '../stack/stack.ts';
import { createStore, WEEK_SESSIONS } from './stored-sessions.ts';

const BATCH = 5_000;
const LOGGED_EVERY = 100_000;
const COPIED = ['accounts', 'instructors', 'members'];

type StoredLesson = ReturnType<ReturnType<typeof createStore>['lesson']>;

/** The elements of each day document, by the id of the document. */
type Days = Map<string, { s: Date; e: Date; c: string; h: string[] }[]>;

/**
 * Copies the instructors and members of the sandbox to the live environment.
 * @param key - a key of the sandbox.
 * @returns a live key of the same account.
 */
export async function openLive({ database, env }: Stack, key: string): Promise<string> {
  for (const name of COPIED) {
    const documents = await database.collection('people', name).find().toArray();
    // The live environment has the accounts of the demo already.
    const copies = documents.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    }));
    await database.collection('people', name, 'live').bulkWrite(copies);
  }
  const known = await database.collection('people', 'api_keys').findOne({ _id: parseApiKey(key)!.keyId });
  const liveKey = formatApiKey('live', newId('key'));
  const { keyId, digest } = parseApiKey(liveKey)!;
  const hash = hashKeyDigest(digest, Buffer.from(env.KEY_PEPPER!, 'base64')).toString('base64');
  const stored = { ...known, _id: keyId, hash, last4: liveKey.slice(-4) };
  await database.collection('people', 'api_keys', 'live').insertOne(stored);
  return liveKey;
}

/** Stores sessions, their claims and the days of their instructors directly, because the API would take hours. */
export async function fillCalendar(
  database: BenchDatabase,
  options: { env: 'live' | 'test'; count: number; dataset: Dataset; log: (line: string) => void },
) {
  const { env, count, dataset, log } = options;
  const store = createStore(dataset);
  const insert = (name: string, documents: { _id: string }[]) =>
    database.collection('scheduling', name, env).insertMany(documents, { ordered: false });
  const insertLessons = async (lessons: StoredLesson[]) => {
    const [sessions, claims] = [lessons.map(({ session }) => session), lessons.map(({ claim }) => claim)];
    await Promise.all([insert('sessions', sessions), insert('claims', claims)]);
  };
  await insertLessons(Array.from({ length: WEEK_SESSIONS }, (_, index) => store.lessonOfWeek(index)));
  const days: Days = new Map();
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    const lessons = Array.from({ length }, (_, index) => store.lesson(from + index));
    for (const lesson of lessons) putOnDay(days, lesson);
    await insertLessons(lessons);
    const stored = from + length;
    if (stored % LOGGED_EVERY === 0) log(`${stored.toLocaleString('en-GB')} sessions stored`);
  }
  const documents = [...days].map(([_id, busy]) => ({ _id, busy, gone: [] }));
  for (let from = 0; from < documents.length; from += BATCH) await insert('days', documents.slice(from, from + BATCH));
}

function putOnDay(days: Days, { session: { _id, instructorId, start, end, claimId } }: StoredLesson) {
  const id = `${instructorId}:${start.toISOString().slice(0, 10)}`;
  const busy = days.get(id) ?? [];
  busy.push({ s: start, e: end, c: claimId, h: [_id] });
  days.set(id, busy);
}
