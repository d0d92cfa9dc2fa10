import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  createReview,
  eraseAccount,
  eraseBookingsOfAccount,
  eraseEventsOfAccount,
  erasePaymentsOfAccount,
  eraseTimesOfAccount,
  type Instructor,
  type Principal,
} from '@swim/contracts';
import { aPrincipal, partOf, until } from '@swim/testing';
import type { ErasureDocument } from '../../src/lifecycle/erasure/erasure.schema.js';
import { ErasuresRepository } from '../../src/lifecycle/erasure/erasures.repository.js';
import { RatingService } from '../../src/people/reviews/rating.service.js';
import { ReviewsRepository } from '../../src/people/reviews/reviews.repository.js';
import { openAccounts, type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';

const OTHERS = [eraseTimesOfAccount, eraseBookingsOfAccount, erasePaymentsOfAccount, eraseEventsOfAccount] as const;
// Longer than any test: each test ends the wait between the rounds itself.
const DRAIN_MS = '3600000';

let people: PeopleHarness;
let sessions: KnownSessions;
/** The requests that the other services got, in order. */
let requested: string[] = [];
beforeAll(async () => {
  process.env.ERASURE_DRAIN_MS = DRAIN_MS;
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
  for (const operation of OTHERS)
    people.harness.serve(operation, () => {
      requested.push(operation.service);
      return { done: true };
    });
});
afterAll(() => people?.stop());
afterEach(() => {
  jest.restoreAllMocks();
  requested = [];
});

const collection = (name: string) => people.harness.database('people_test').collection<{ _id: string }>(name);
const erasureOf = ({ accountId }: Principal) =>
  people.harness.database('people_test').collection<ErasureDocument>('erasures').findOne({ _id: accountId });

async function aSchool(): Promise<{ school: Principal; instructor: Instructor }> {
  const school = aPrincipal({ kind: 'school' });
  await openAccounts(people.service, [school]);
  return { school, instructor: await people.anInstructor({}, { principal: school }) };
}

const review = (instructor: Instructor) => {
  const input = { instructor_id: instructor.id, session_id: sessions.add(instructor, people.family), stars: 2 };
  // A test holds it for several steps of an erasure.
  const options = { principal: people.family, budgetMs: 60_000 };
  return people.harness.call(createReview, { ...input, comment: 'He was late' }, options);
};

const beginErasure = (principal: Principal) =>
  people.harness.call(eraseAccount, { account_id: principal.accountId }, { principal });
const isInSecondRound = (principal: Principal) =>
  until(async () => (await erasureOf(principal))?.step?.endsWith(' again'), 'the second round has begun');
const hasEnded = (principal: Principal) =>
  until(async () => (await erasureOf(principal))?.step === null, 'the erasure is done');
/** Makes an erasure due: ends the wait between the rounds, or the lease of a crashed process. */
const lapse = ({ accountId }: Principal) =>
  collection('erasures').updateOne({ _id: accountId }, { $set: { nextAt: new Date(0) } });

async function erase(principal: Principal): Promise<void> {
  await beginErasure(principal);
  await isInSecondRound(principal);
  await lapse(principal);
  await hasEnded(principal);
}

/** Holds every call of a method where `hold` returns true, until it is opened. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reached = 0;
  const hold = async () => {
    reached++;
    await opened;
  };
  return { hold, open, isReached: () => until(() => reached > 0, 'it has come this far') };
}

describe('the erasure of a school', () => {
  it('leaves no comment in its instructors, even with a concurrent rating that read the reviews before', async () => {
    const { school, instructor } = await aSchool();
    const { id } = await review(instructor);
    const reviews = partOf(people.service, ReviewsRepository);
    const ratings = partOf(people.service, RatingService);
    const { hold, open, isReached } = gate();
    const sum = reviews.sum.bind(reviews);
    jest.spyOn(reviews, 'sum').mockImplementation(async (...given) => {
      const sums = await sum(...given);
      await hold();
      return sums;
    });
    const late = ratings.count({ _id: id, instructorId: instructor.id });
    await isReached();
    await erase(school);
    open();
    await late;
    expect(await collection('instructors').findOne({ _id: instructor.id })).toMatchObject({ reviews: [] });
    expect(await collection('reviews').findOne({ _id: id })).toMatchObject({ stars: 2, comment: null });
  });

  it('removes the comment of a review that is stored after its instructors were emptied', async () => {
    const { school, instructor } = await aSchool();
    const reviews = partOf(people.service, ReviewsRepository);
    const { hold, open, isReached } = gate();
    const insert = reviews.insert.bind(reviews);
    jest.spyOn(reviews, 'insert').mockImplementation(async (...given) => {
      await hold();
      return insert(...given);
    });
    const late = review(instructor).catch(() => null);
    await isReached();
    await beginErasure(school);
    await isInSecondRound(school);
    open();
    const stored = () => collection('reviews').findOne({ instructorId: instructor.id });
    await until(async () => (await stored()) !== null, 'the late review is stored');
    await late;
    await lapse(school);
    await hasEnded(school);
    expect(await stored()).toMatchObject({ stars: 2, comment: null });
  });
});

it('an erasure repeats each step whose end was not stored because of a crash, and no other', async () => {
  const family = aPrincipal();
  await openAccounts(people.service, [family]);
  const words = { name: 'Canary Kid', medical_notes: 'canary notes' };
  const member = await people.aMember({ account_id: family.accountId, ...words }, { principal: family });
  const work = people.service.app.get(ErasuresRepository, { strict: false }).unfinished;
  const deaths: string[] = [];
  for (const method of ['renew', 'postpone', 'end'] as const) {
    const original = work[method].bind(work) as (...args: unknown[]) => Promise<boolean>;
    jest.spyOn(work, method).mockImplementation((async (now: ErasureDocument, ...more: unknown[]) => {
      if (now.step === null || deaths.includes(now.step)) return original(now, ...more);
      deaths.push(now.step);
      await lapse(family);
      throw new Error('The process died before it noted that the step is done.');
    }) as never);
  }

  await beginErasure(family);
  await isInSecondRound(family);
  await lapse(family);
  await hasEnded(family);

  const steps = ['keys', 'members', 'scheduling', 'booking', 'people', 'payment', 'notification', 'account'];
  expect(deaths).toEqual([...steps, ...steps.map((step) => `${step} again`)]);
  const twice = ['scheduling', 'booking', 'payment', 'notification'].flatMap((name) => [name, name]);
  expect(requested).toEqual([...twice, ...twice]);
  expect(await collection('members').findOne({ _id: member.id })).toMatchObject({ erasedAt: expect.any(Date) });
  expect(await collection('accounts').findOne({ _id: family.accountId })).toMatchObject({ state: 'erased' });
  for (const name of ['members', 'accounts', 'idempotency'])
    expect(JSON.stringify(await collection(name).find().toArray())).not.toMatch(/canary/i);
  const published = () =>
    people.events.filter(({ objectId, type }) => objectId === member.id && type === 'member.erased');
  await until(() => published().length > 0, 'its event has come');
  expect(published()).toHaveLength(1);
});
