import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createReview,
  getInstructor,
  type InputOf,
  type Instructor,
  listReviews,
  type Review,
  review,
} from '@swim/contracts';
import { PeriodicRunner } from '@swim/mongo';
import { AppError, newId } from '@swim/platform';
import { partOf, type RequestOptions, rejectionOf, until } from '@swim/testing';
import { z } from 'zod';
import { expectInstructor, type PeopleHarness, startPeople } from '../harness.js';
import { KnownSessions } from '../known-sessions.js';

let people: PeopleHarness;
let sessions: KnownSessions;
beforeAll(async () => {
  people = await startPeople();
  sessions = new KnownSessions(people.harness);
  await people.harness.connection.flush();
});
afterAll(() => people?.stop());

type PartialReview = Partial<InputOf<typeof createReview>>;
const asFamily = (): RequestOptions => ({ principal: people.family });

/** A well-formed request for a session without a review. */
const reviewInput = (instructor: Instructor, partial: PartialReview = {}): InputOf<typeof createReview> => ({
  instructor_id: instructor.id,
  session_id: partial.session_id ?? sessions.add(instructor, people.family),
  stars: 4,
  ...partial,
});
const write = (instructor: Instructor, partial: PartialReview = {}, options = asFamily()): Promise<Review> =>
  people.harness.call(createReview, reviewInput(instructor, partial), options);
/** Writes a review under one key until it is accepted: on a busy machine a request may time out before its result is known. */
function writeSurely(instructor: Instructor, partial: PartialReview): Promise<Review> {
  const input = reviewInput(instructor, partial);
  const options = { ...asFamily(), idempotencyKey: newId('req') };
  const write = () =>
    people.harness.call(createReview, input, options).catch((error: unknown) => {
      const isTransient = error instanceof AppError && (error.code === 'SERVER_ERROR' || error.code === 'CONFLICT');
      if (isTransient) return null;
      throw error;
    });
  return until(write, 'the review is written');
}
const rejected = async (work: Promise<unknown>) => (await rejectionOf(work)).toBody();
const list = (
  instructor: Instructor,
  query: { limit?: number; cursor?: string; offset?: number } = {},
  options = asFamily(),
) => people.harness.call(listReviews, { instructor_id: instructor.id, ...query }, options);
const profileOf = ({ id }: Instructor) => people.harness.call(getInstructor, { instructor_id: id }, asFamily());
const reviewsRepository = async () => {
  const { ReviewsRepository } = await import('../../src/people/reviews/reviews.repository.js');
  return partOf(people.service, ReviewsRepository);
};
const stored = () =>
  people.harness.database('people_test').collection<{ _id: string; counted: boolean; instructorId: string }>('reviews');

describe('a review', () => {
  it('is written once for a completed session, and rates the instructor', async () => {
    const instructor = await people.anInstructor();
    const session_id = sessions.add(instructor, people.family);
    const made = await write(instructor, { session_id, stars: 5, comment: 'Patient and clear.' });
    expect(z.strictObject(review.shape).parse(made)).toEqual({
      object: 'review',
      id: expect.stringMatching(/^rev_/),
      instructor_id: instructor.id,
      session_id,
      stars: 5,
      comment: 'Patient and clear.',
      created_at: expect.stringMatching(/Z$/),
    });
    const after = expectInstructor(await profileOf(instructor));
    const { id, stars, comment, created_at } = made;
    expect(after).toMatchObject({ rating: { average: 5, count: 1 }, reviews: [{ id, stars, comment, created_at }] });
    expect(after.version).toBe(instructor.version);
  });

  it('may have no comment', async () => {
    const instructor = await people.anInstructor();
    for (const partial of [{}, { comment: null }]) expect((await write(instructor, partial)).comment).toBeNull();
  });

  it('is rejected the second time: already_exists names the first', async () => {
    const instructor = await people.anInstructor();
    const session_id = sessions.add(instructor, people.family);
    const first = await write(instructor, { session_id });
    for (const options of [asFamily(), { ...asFamily(), dryRun: true }]) {
      expect(await rejected(write(instructor, { session_id, stars: 1 }, options))).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'already_exists', field: 'session_id', review_id: first.id },
      });
    }
    expect((await profileOf(instructor)).rating).toEqual({ average: 4, count: 1 });
  });

  it.each(['scheduled', 'cancelled'] as const)(
    'is rejected for a session that is %s: invalid_state',
    async (status) => {
      const instructor = await people.anInstructor();
      const session_id = sessions.add(instructor, people.family, status);
      expect(await rejected(write(instructor, { session_id }))).toMatchObject({
        code: 'CONFLICT',
        details: { reason: 'invalid_state', field: 'session_id', status },
      });
    },
  );

  it('is rejected for sessions of other accounts or instructors, and unknown ones: not_found', async () => {
    const [instructor, other] = [await people.anInstructor(), await people.anInstructor()];
    const foreign = sessions.add(instructor, people.otherFamily);
    for (const session_id of [foreign, sessions.add(other, people.family), newId('ses')]) {
      expect(await rejected(write(instructor, { session_id }))).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { reason: 'not_found', field: 'session_id' },
      });
    }
  });

  it('is rejected to the instructor’s school, also for a session of its own: foreign_account', async () => {
    const instructor = await people.anInstructor();
    const options = { principal: people.school };
    for (const principal of [people.family, people.school]) {
      const session_id = sessions.add(instructor, principal);
      expect(await rejected(write(instructor, { session_id }, options))).toMatchObject({
        code: 'AUTHORIZATION_ERROR',
        details: { reason: 'foreign_account' },
      });
    }
  });

  it('is rejected for an unknown instructor: resource_not_found', async () => {
    const instructor = await people.anInstructor();
    const unknown = { ...instructor, id: newId('ins') };
    expect((await rejectionOf(write(unknown))).reason).toBe('resource_not_found');
    expect((await rejectionOf(list(unknown))).reason).toBe('resource_not_found');
  });

  it.each<[string, PartialReview, string, string]>([
    ['no star', { stars: 0 }, 'stars', 'too_small'],
    ['six stars', { stars: 6 }, 'stars', 'too_large'],
    ['half a star', { stars: 4.5 }, 'stars', 'invalid_type'],
    ['2,001 characters', { comment: 'x'.repeat(2001) }, 'comment', 'too_long'],
    ['NUL', { comment: 'a\0b' }, 'comment', 'forbidden_characters'],
    ['a lone surrogate', { comment: 'a\ud800' }, 'comment', 'forbidden_characters'],
    ['a member’s id', { session_id: newId('mem') }, 'session_id', 'invalid_id'],
  ])('is rejected with %s', async (_, partial, field, reason) => {
    const instructor = await people.anInstructor();
    expect(await rejected(write(instructor, partial))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field, reason },
    });
  });

  it('accepts 2,000 characters', async () => {
    const instructor = await people.anInstructor();
    expect((await write(instructor, { comment: 'ü'.repeat(2000) })).comment).toHaveLength(2000);
  });

  it('stores nothing in a dry run', async () => {
    const instructor = await people.anInstructor();
    const imagined = await write(instructor, { stars: 2 }, { ...asFamily(), dryRun: true });
    expect(z.strictObject(review.shape).parse(imagined)).toMatchObject({ stars: 2 });
    expect((await list(instructor)).pagination.total).toBe(0);
    expect((await profileOf(instructor)).rating).toEqual({ average: null, count: 0 });
  });

  it('is published to its author and the school, without its comment and its session', async () => {
    const instructor = await people.anInstructor();
    const made = await write(instructor, { comment: 'Between us.' });
    const { type, audience, object } = await people.eventOf(made.id, 1);
    expect(type).toBe('review.created');
    expect([...audience].sort()).toEqual([people.family.accountId, people.school.accountId].sort());
    const { id, instructor_id, stars, created_at } = made;
    expect(object).toEqual({ object: 'review', id, instructor_id, stars, created_at });
  });
});

describe('the reviews of an instructor', () => {
  it('are listed newest first, page by page, to every account, with their session only to its author', async () => {
    const instructor = await people.anInstructor();
    const made: Review[] = [];
    for (const stars of [1, 2, 3]) made.unshift(await write(instructor, { stars }));
    const first = await list(instructor, { limit: 2 });
    const second = await list(instructor, { limit: 2, cursor: first.pagination.next_cursor! });
    expect([...first.items, ...second.items]).toEqual(made);
    expect(second.pagination).toEqual({ has_more: false, next_cursor: null, total: 3 });
    for (const principal of [people.school, people.otherFamily]) {
      const { items } = await list(instructor, {}, { principal });
      expect(items).toEqual(made.map(({ session_id: _, ...rest }) => rest));
    }
  });

  it('have cursors that are rejected for another instructor', async () => {
    const [instructor, other] = [await people.anInstructor(), await people.anInstructor()];
    for (let count = 0; count < 2; count++) await write(instructor);
    const cursor = (await list(instructor, { limit: 1 })).pagination.next_cursor!;
    expect((await rejectionOf(list(other, { cursor }))).reason).toBe('invalid_cursor');
  });

  it('are shown in the profile, the ten newest', async () => {
    const instructor = await people.anInstructor();
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.unshift((await write(instructor)).id);
    const { reviews, rating } = await profileOf(instructor);
    expect(reviews.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(rating.count).toBe(12);
  });
});

describe('a rating', () => {
  it('is exact after 64 concurrent reviews', async () => {
    const instructor = await people.anInstructor();
    const stars = Array.from({ length: 64 }, (_, index) => 1 + ((index * 7) % 5));
    await Promise.all(stars.map((each) => writeSurely(instructor, { stars: each })));
    const sum = stars.reduce((total, each) => total + each, 0);
    const { rating, reviews } = await profileOf(instructor);
    expect(rating).toEqual({ average: Math.round((sum * 100) / 64) / 100, count: 64 });
    const newest = (await list(instructor, { limit: 10 })).items.map(({ id }) => id);
    expect(reviews.map(({ id }) => id)).toEqual(newest);
    expect(await stored().countDocuments({ instructorId: instructor.id, counted: false })).toBe(0);
  });

  it('counts one of 20 concurrent reviews of a session', async () => {
    const instructor = await people.anInstructor();
    const session_id = sessions.add(instructor, people.family);
    const race = Array.from({ length: 20 }, (_, index) =>
      write(instructor, { session_id, stars: 1 + (index % 5) }).catch((error: unknown) => error),
    );
    const outcomes = await Promise.all(race);
    const [won, ...others] = (await list(instructor)).items;
    expect(others).toEqual([]);
    for (const outcome of outcomes) {
      // On a busy machine the successful request may time out before its result is known.
      if (outcome instanceof AppError && outcome.code === 'SERVER_ERROR') continue;
      if (!(outcome instanceof Error)) expect(outcome).toEqual(won);
      else expect(outcome).toMatchObject({ reason: 'already_exists', details: { review_id: won!.id } });
    }
    // The sweep counts a review whose request timed out.
    await until(async () => (await profileOf(instructor)).rating?.count === 1, 'the review is counted');
    expect((await profileOf(instructor)).rating).toEqual({ average: won!.stars, count: 1 });
  });

  it('stays the same when one key repeats a review', async () => {
    const instructor = await people.anInstructor();
    const partial = { session_id: sessions.add(instructor, people.family), stars: 3 };
    const options = { ...asFamily(), idempotencyKey: newId('req') };
    const first = await write(instructor, partial, options);
    expect(await write(instructor, partial, options)).toEqual(first);
    expect((await profileOf(instructor)).rating).toEqual({ average: 3, count: 1 });
  });
});

describe('a rating under concurrent changes', () => {
  beforeAll(async () => {
    // On a busy machine the sweep, which computes ratings too, could run in between.
    await partOf(people.service, PeriodicRunner).beforeApplicationShutdown();
  });

  it.each([
    [1, 3],
    [2, 3],
    [3, 4],
  ])('is exact when %i others are written between the reading and the writing of it', async (rivals, sums) => {
    const instructor = await people.anInstructor();
    const repository = await reviewsRepository();
    const sum = repository.sum;
    let counted = 0;
    repository.sum = async function rivalled(...requested) {
      const found = await sum.apply(this, requested);
      if (++counted > 1) return found;
      for (let rival = 0; rival < rivals; rival++) await write(instructor, { stars: 1 });
      return found;
    };
    try {
      await write(instructor, { stars: 5 });
    } finally {
      repository.sum = sum;
    }
    const average = Math.round(((5 + rivals) * 100) / (1 + rivals)) / 100;
    expect((await profileOf(instructor)).rating).toEqual({ average, count: 1 + rivals });
    // After two later writes the reviews need not be read again.
    expect(counted).toBe(sums);
  });
});
