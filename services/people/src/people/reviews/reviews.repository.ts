import { Injectable } from '@nestjs/common';
import { listOwnReviews, listReviews, type Page, reviewCreated } from '@swim/contracts';
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
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { CommentsService } from '../../identity/privacy/comments.service.js';
import { SHOWN_REVIEWS } from './rating.rules.js';
import { reviewObjectOf, type SummedReview } from './review.mapper.js';
import { type ReviewDocument, reviewSchema } from './review.schema.js';

/** The stored fields of a review that is not counted yet. */
export type NewReview = Omit<ReviewDocument, Managed | 'readers' | 'counted' | 'countAt'>;

/** The totals of all reviews of an instructor. */
export interface Sums {
  count: number;
  stars: number;
  /** At most `SHOWN_REVIEWS`, newest first. */
  newest: SummedReview[];
}

const SUMMED = ['stars', 'comment', 'memberId', 'authorId', 'createdAt'] as const;
type Summed = (typeof SUMMED)[number];

const NOBODY = 'erased';
const ERASURE = { asSystem: 'an erasure' } as object;
const erasing = asSystem('an erasure');
const OF_ALL_ACCOUNTS = 'the rating counts the reviews of all accounts';
const ofOneInstructor = asSystem(OF_ALL_ACCOUNTS);

@Injectable()
export class ReviewsRepository extends AggregateRepository<ReviewDocument> {
  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly comments: CommentsService,
  ) {
    super(databases.collection('reviews', reviewSchema), relay, true);
  }

  protected override opened(stored: ReviewDocument[]): Promise<ReviewDocument[]> {
    return Promise.all(
      stored.map(async (review) => ({
        ...review,
        comment: await this.comments.open(review.comment, review._id, review),
      })),
    );
  }

  protected override async sealed<F extends Partial<ReviewDocument>>(fields: F, of: ReviewDocument): Promise<F> {
    if (typeof fields.comment !== 'string') return fields;
    return { ...fields, comment: await this.comments.seal(fields.comment, of._id, of) };
  }

  /**
   * Stores an uncounted review, with its event to the author and the school; `already_exists` names the session's first
   * review.
   */
  async insert(context: RequestContext, review: NewReview, schoolId: string): Promise<ReviewDocument> {
    const created = {
      type: reviewCreated,
      object: reviewObjectOf,
      audience: [...new Set([schoolId, review.authorId])],
    };
    const document = { ...review, readers: [PUBLIC, review.authorId], counted: false };
    try {
      return await this.create(context, document, [created]);
    } catch (error) {
      const isTaken = isDuplicate(error) || (error instanceof AppError && error.reason === 'already_exists');
      const first = isTaken ? await this.findOfSession(review.sessionId) : null;
      throw first ? alreadyReviewed(first) : error;
    }
  }

  /** The review of a session, by any author. */
  findOfSession(sessionId: string): Promise<ReviewDocument | null> {
    return this.findOne(asSystem('access was checked when the session was read'), { sessionId });
  }

  /** Newest first, of all accounts. */
  list({ principal }: RequestContext, instructorId: string, request: ListRequest): Promise<Page<ReviewDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listReviews.name, accountId, env, filters: { instructorId } };
    return this.page(principal, { instructorId }, { order: 'newest', request, cursors: this.cursors, bound });
  }

  /** The requesting account's own reviews, newest first. */
  listOwn({ principal }: RequestContext, request: ListRequest): Promise<Page<ReviewDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listOwnReviews.name, accountId, env, filters: {} };
    const order = { order: 'newest', request, cursors: this.cursors, bound } as const;
    return this.page(principal, { authorId: accountId }, order);
  }

  /** Totals of all reviews of an instructor, counted or not. */
  async sum(instructorId: string): Promise<Sums> {
    const [sums, newest] = await Promise.all([
      this.model(ofOneInstructor).aggregate<{ count: number; stars: number }>(
        [{ $match: { instructorId } }, { $group: { _id: null, count: { $sum: 1 }, stars: { $sum: '$stars' } } }],
        { asSystem: OF_ALL_ACCOUNTS } as object,
      ),
      this.findPicked<Summed>(ofOneInstructor, { instructorId }, SUMMED, { sort: { _id: -1 }, limit: SHOWN_REVIEWS }),
    ]);
    return { count: sums[0]?.count ?? 0, stars: sums[0]?.stars ?? 0, newest };
  }

  /** Reviews that no rating is known to include; postponed ones last, and only when due. */
  findUncounted(limit: number): Promise<Pick<ReviewDocument, '_id' | 'instructorId'>[]> {
    const now = this.databases.clock.now();
    const due = { counted: false, $or: [{ countAt: null }, { countAt: mongoose.trusted({ $lt: now }) }] };
    const options = { sort: { countAt: 1 } as const, limit };
    return this.findUnlessQuiet(ofOneInstructor, 'uncounted', now, () =>
      this.findPicked(ofOneInstructor, due, ['instructorId'], options),
    );
  }

  /** Postpones counting these. */
  async postpone(ids: string[], delayMs: number): Promise<void> {
    const countAt = this.databases.clock.inMs(delayMs);
    for (const id of ids) await this.update(ofOneInstructor, { _id: id, counted: false }, { $set: { countAt } });
  }

  /**
   * Removes comment, author and member from an account's reviews, or from those made before an instant; the stars stay. Their
   * instructors' ratings are recomputed. Idempotent.
   */
  async anonymise(authorId: string, before?: Date): Promise<void> {
    const made = before ? { createdAt: mongoose.trusted({ $lt: before }) } : {};
    const set = { authorId: NOBODY, memberId: null, readers: [PUBLIC], comment: null, counted: false, ops: [] };
    await this.model(erasing).updateMany({ authorId, ...made }, { $set: set, $inc: { rev: 1 } }, ERASURE);
  }

  /** Removes the comments of all reviews of these instructors. Idempotent. */
  async clearComments(instructorIds: readonly string[]): Promise<void> {
    const written = [{ comment: mongoose.trusted({ $ne: null }) }, { 'ops.0': mongoose.trusted({ $exists: true }) }];
    const theirs = { instructorId: mongoose.trusted({ $in: [...instructorIds] }), $or: written };
    await this.model(erasing).updateMany(theirs, { $set: { comment: null, ops: [] }, $inc: { rev: 1 } }, ERASURE);
  }

  /** Marks a review as counted in its instructor's rating. */
  async markCounted(id: string): Promise<void> {
    await this.update(ofOneInstructor, { _id: id }, { $set: { counted: true } });
  }
}

/** The error of a second review of a session. */
export const alreadyReviewed = ({ _id }: ReviewDocument): AppError =>
  new AppError('already_exists', {
    field: 'session_id',
    message: `The session has the review ${_id} already, and can have one only.`,
    details: { review_id: _id },
  });
