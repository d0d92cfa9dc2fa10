import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReview, getInstructor, type Instructor, listReviews } from '@swim/contracts';
import { newId } from '@swim/platform';
import { type CrashableService, until, updateAll } from '@swim/testing';
import { startCrashablePeople } from '../crashable-people.js';
import type { PeopleHarness } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';

const INSTRUCTORS = 24;
const PAST = new Date(0);

let people: PeopleHarness;
let sessions: KnownSessions;
let service: CrashableService;
let instructors: Instructor[];

beforeAll(async () => {
  ({ people, service } = await startCrashablePeople(lapse));
  sessions = new KnownSessions(people.harness);
  instructors = await Promise.all(Array.from({ length: INSTRUCTORS }, () => people.anInstructor()));
});
afterAll(() => people?.stop());

const collection = (name: string) => people.harness.database('people_test').collection(name);

/** Ends every lease, and makes everything due for recovery. */
async function lapse(): Promise<void> {
  await updateAll(collection('idempotency'), { state: 'running' }, { leaseUntil: PAST });
  await updateAll(collection('reviews'), { relayAt: { $type: 'date' } }, { relayAt: PAST });
}

interface Stored {
  _id: string;
  instructorId: string;
  stars: number;
  counted: boolean;
  outbox: unknown[];
}
const storedOf = ({ id }: Instructor) =>
  people.harness.database('people_test').collection<Stored>('reviews').find({ instructorId: id }).toArray();
const profileOf = ({ id }: Instructor) =>
  people.harness.call(getInstructor, { instructor_id: id }, { principal: people.family });

/** Whether no write is left of a review: it would be counted among those of the next review. */
async function isIdle(): Promise<boolean> {
  const unsent = { relayAt: { $type: 'date' } };
  const left = await Promise.all([
    collection('reviews').findOne({ $or: [{ counted: false }, unsent] }),
    collection('instructors').findOne(unsent),
  ]);
  return left.every((each) => each === null);
}

const aReview = (instructor: Instructor) => ({
  input: { instructor_id: instructor.id, session_id: sessions.add(instructor, people.family), stars: 4 },
  options: { principal: people.family, idempotencyKey: newId('req') },
});

describe('people crashes after any single write of a review', () => {
  it('and its client does not retry: the rating soon equals that of the stored reviews', async () => {
    const kept: number[] = [];
    const writes = await service.everywhere(async (n) => {
      const instructor = instructors.pop()!;
      const { input, options } = aReview(instructor);
      const crashed = await service.crashDuring(n, () => people.harness.call(createReview, input, options), isIdle);
      const allCounted = async () => (await storedOf(instructor)).every(({ counted }) => counted);
      await until(allCounted, 'nothing is left uncounted');
      const { length } = await storedOf(instructor);
      const { rating, reviews } = await profileOf(instructor);
      expect(rating).toEqual({ average: length === 0 ? null : 4, count: length });
      expect(reviews).toHaveLength(length);
      kept.push(length);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
    expect([kept[0], kept.at(-1)]).toEqual([0, 1]);
  });

  it('and its client retries under the same key: there is one review, counted once, with one event', async () => {
    const writes = await service.everywhere(async (n) => {
      const instructor = instructors.pop()!;
      const { input, options } = aReview(instructor);
      const crashed = await service.crashDuring(n, () => people.harness.call(createReview, input, options), isIdle);
      const answered = await people.harness.insist(createReview, input, options);
      const { items } = await people.harness.call(
        listReviews,
        { instructor_id: instructor.id },
        { principal: people.family },
      );
      expect(items).toEqual([answered]);
      expect((await profileOf(instructor)).rating).toEqual({ average: 4, count: 1 });
      await until(isIdle, 'its event is sent');
      const publishedEvents = () => people.events.filter(({ objectId }) => objectId === answered.id);
      await until(() => publishedEvents().length > 0, 'its event is published');
      expect(publishedEvents()).toHaveLength(1);
      return crashed;
    });
    expect(writes).toBeGreaterThanOrEqual(5);
  });
});
