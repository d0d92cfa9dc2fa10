import { Injectable } from '@nestjs/common';
import { type Environment, listReviews, type Page, reviewCreated } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import {
  AggregateRepository,
  asSystem,
  Databases,
  isDuplicate,
  type ListRequest,
  type Managed,
  OutboxRelay,
  PUBLIC,
} from '@swim/mongo';
import { AppError, CursorCodec } from '@swim/platform';
import { SHOWN_REVIEWS } from './rating.rules.js';
import { reviewObjectOf } from './review.mapper.js';
import { type ReviewDocument, reviewSchema } from './review.schema.js';

/** What is stored of a review that nobody has counted yet. */
export type NewReview = Omit<ReviewDocument, Managed | 'readers' | 'counted'>;

/** All reviews of an instructor, added up. */
export interface Sums {
  count: number;
  stars: number;
  /** At most `SHOWN_REVIEWS`, newest first. */
  newest: Pick<ReviewDocument, '_id' | 'stars' | 'comment' | 'createdAt'>[];
}

const OF_ALL_ACCOUNTS = 'the rating counts the reviews of all accounts';
const ofOneInstructor = (env: Environment) => asSystem(env, OF_ALL_ACCOUNTS);

@Injectable()
export class ReviewsRepository extends AggregateRepository<ReviewDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('reviews', reviewSchema), relay, true);
  }

  /** Stores a review that is not counted yet, with its event to the author and the school; `already_exists` names the first of its session. */
  async insert(call: Call, review: NewReview, schoolId: string): Promise<ReviewDocument> {
    const created = { type: reviewCreated, object: reviewObjectOf, audience: [schoolId, review.authorId] };
    const document = { ...review, readers: [PUBLIC, review.authorId], counted: false };
    try {
      return await this.create(call, document, [created]);
    } catch (error) {
      const isTaken = isDuplicate(error) || (error instanceof AppError && error.reason === 'already_exists');
      const first = isTaken ? await this.findOfSession(call.principal.env, review.sessionId) : null;
      throw first ? alreadyReviewed(first) : error;
    }
  }

  /** The review of a session, whoever wrote it. */
  findOfSession(env: Environment, sessionId: string): Promise<ReviewDocument | null> {
    return this.findOne(asSystem(env, 'the caller has been asked for the session'), { sessionId });
  }

  /** Newest first, of all accounts. */
  list({ principal }: Call, instructorId: string, asked: ListRequest): Promise<Page<ReviewDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listReviews.name, accountId, env, filters: { instructorId } };
    return this.page(principal, { instructorId }, { order: 'newest', asked, cursors: this.cursors, bound });
  }

  /** Adds up all reviews of an instructor, counted or not. */
  async sum(env: Environment, instructorId: string): Promise<Sums> {
    const scope = ofOneInstructor(env);
    const [sums, newest] = await Promise.all([
      this.model(scope).aggregate<{ count: number; stars: number }>(
        [{ $match: { instructorId } }, { $group: { _id: null, count: { $sum: 1 }, stars: { $sum: '$stars' } } }],
        { asSystem: OF_ALL_ACCOUNTS } as object,
      ),
      this.findPicked<'stars' | 'comment' | 'createdAt'>(scope, { instructorId }, ['stars', 'comment', 'createdAt'], {
        sort: { _id: -1 },
        limit: SHOWN_REVIEWS,
      }),
    ]);
    return { count: sums[0]?.count ?? 0, stars: sums[0]?.stars ?? 0, newest };
  }

  /** Reviews that no rating is known to hold. */
  findUncounted(env: Environment, limit: number): Promise<Pick<ReviewDocument, '_id' | 'instructorId'>[]> {
    return this.findPicked<'instructorId'>(ofOneInstructor(env), { counted: false }, ['instructorId'], { limit });
  }

  /** Notes that the rating of their instructor holds these. */
  async markCounted(env: Environment, id: string): Promise<void> {
    await this.update(ofOneInstructor(env), { _id: id }, { $set: { counted: true } });
  }
}

/** The refusal of a second review of a session. */
export const alreadyReviewed = ({ _id }: ReviewDocument): AppError =>
  new AppError('already_exists', { field: 'session_id', details: { review_id: _id } });
