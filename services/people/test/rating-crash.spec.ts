import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReview, getInstructor, type Instructor, listReviews, type Review } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { type Caller, freePort, type ServiceProcess, startProcess, until } from '@swim/testing';
import { KnownSessions } from './known-sessions.js';
import { type PeopleParts, startPeople } from './people-parts.js';

const MOST_WRITES = 12;
const INSTRUCTORS = 2 * MOST_WRITES;
const MAIN = new URL('crashing-main.mjs', import.meta.url);

let people: PeopleParts;
let sessions: KnownSessions;
let process: ServiceProcess;
let instructors: Instructor[];

const start = async () =>
  startProcess(MAIN, {
    ...people.parts.env,
    MONGODB_URI: `${people.parts.env.MONGODB_URI}&monitorCommands=true`,
    HEALTH_PORT: String(await freePort()),
  });

beforeAll(async () => {
  people = await startPeople();
  sessions = new KnownSessions(people.parts);
  instructors = await Promise.all(Array.from({ length: INSTRUCTORS }, () => people.anInstructor()));
  // From here on a process of its own serves, which can die.
  await people.service.stop();
  process = await start();
}, 120_000);
afterAll(async () => {
  await process?.kill('SIGTERM');
  await people?.parts.stop();
});

interface Stored {
  _id: string;
  instructorId: string;
  stars: number;
  counted: boolean;
  outbox: unknown[];
}
const storedOf = ({ id }: Instructor) =>
  people.parts.database('people_test').collection<Stored>('reviews').find({ instructorId: id }).toArray();
const profileOf = ({ id }: Instructor) =>
  people.parts.call(getInstructor, { instructor_id: id }, { principal: people.family });

async function isQuiet(instructor: Instructor): Promise<boolean> {
  const reviews = await storedOf(instructor);
  return reviews.length === 1 && reviews[0]!.counted && reviews[0]!.outbox.length === 0;
}

/** Whether nothing is left to be done for any review: writes of that would be counted among those of the next. */
async function isIdle(): Promise<boolean> {
  const reviews = people.parts.database('people_test').collection('reviews');
  return (await reviews.countDocuments({ $or: [{ counted: false }, { relayAt: { $type: 'date' } }] })) === 0;
}

/** Has the process die after its nth write during `work`, and starts it again. False when it outlived the work. */
async function dieAt(n: number, work: () => Promise<unknown>, isOver: () => Promise<boolean>): Promise<boolean> {
  await until(isIdle, 'nothing is under way');
  await process.crashAfterWrites(n);
  await Promise.race([process.exit(), work().catch(() => null)]);
  await until(async () => process.ended || (await isOver()), 'it is dead or done');
  const disarmed = () =>
    process.crashAfterWrites(0).then(
      () => true,
      () => false,
    );
  const died = process.ended || !(await disarmed());
  if (died) process = await start();
  return died;
}

/** Tells a story of a death after the first write, the second, and so on, until one outlives it; how many there were. */
async function crashEverywhere(story: (n: number) => Promise<boolean>): Promise<number> {
  for (let n = 1; n <= MOST_WRITES; n++) {
    if (!(await story(n))) return n - 1;
  }
  throw new Error(`It still dies after ${MOST_WRITES} writes.`);
}

/** Sends until there is an answer: as a client does that tries again under one key. */
async function insist(send: () => Promise<Review>): Promise<Review> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const again =
        error instanceof AppError && (error.code === 'SERVER_ERROR' || error.reason === 'idempotency_in_progress');
      if (!again) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const aReview = (instructor: Instructor, caller: Caller) => {
  const wish = { instructor_id: instructor.id, session_id: sessions.add(instructor, people.family), stars: 4 };
  return () => people.parts.call(createReview, wish, { principal: people.family, ...caller });
};

describe('the people process dies after any single write of a review', () => {
  it('and its client never comes back: the rating is soon what the stored reviews make it', async () => {
    const kept: number[] = [];
    const writes = await crashEverywhere(async (n) => {
      const instructor = instructors.pop()!;
      const died = await dieAt(n, aReview(instructor, { idempotencyKey: newId('req') }), () => isQuiet(instructor));
      const allCounted = async () => (await storedOf(instructor)).every(({ counted }) => counted);
      await until(allCounted, 'nothing is left uncounted');
      const { length } = await storedOf(instructor);
      const { rating, reviews } = await profileOf(instructor);
      expect(rating).toEqual({ average: length === 0 ? null : 4, count: length });
      expect(reviews).toHaveLength(length);
      kept.push(length);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
    expect(kept.slice(0, 2)).toEqual([0, 1]);
  }, 240_000);

  it('and the same key comes again: there is one review, counted once and told once', async () => {
    const writes = await crashEverywhere(async (n) => {
      const instructor = instructors.pop()!;
      const send = aReview(instructor, { idempotencyKey: newId('req') });
      const died = await dieAt(n, send, () => isQuiet(instructor));
      const answered = await insist(send);
      const { items } = await people.parts.call(
        listReviews,
        { instructor_id: instructor.id },
        { principal: people.family },
      );
      expect(items).toEqual([answered]);
      expect((await profileOf(instructor)).rating).toEqual({ average: 4, count: 1 });
      await until(() => isQuiet(instructor), 'its event is sent');
      const told = () => people.events.filter(({ objectId }) => objectId === answered.id);
      await until(() => told().length > 0, 'it is told');
      expect(told()).toHaveLength(1);
      return died;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  }, 240_000);
});
