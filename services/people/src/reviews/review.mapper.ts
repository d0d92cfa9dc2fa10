import { type Review, type ReviewObject, reviewCreated } from '@swim/contracts';
import { base64Of, isSealed, type Managed } from '@swim/mongo';
import type { StoredReview } from '../privacy/comments.service.js';
import type { ReviewDocument } from './review.schema.js';

/** What of a stored review an instructor's profile is made of; its comment is encrypted. */
export type SummedReview = Pick<ReviewDocument, '_id' | 'stars' | 'comment' | 'memberId' | 'authorId' | 'createdAt'>;

/** A review's document, or one that a dry run would have stored. */
export type ReviewView = Omit<ReviewDocument, Managed | 'readers' | 'counted'> & Pick<ReviewDocument, 'createdAt'>;

/** A review as the API answers it to this account. */
export const reviewOf = (document: ReviewView, readerId: string): Review => ({
  id: document._id,
  instructor_id: document.instructorId,
  ...(document.authorId === readerId ? { session_id: document.sessionId } : {}),
  stars: document.stars,
  comment: document.comment,
  created_at: document.createdAt.toISOString(),
});

/** A review as it is stored with an instructor, its comment as sealed as it is stored with the review. */
export function shownReviewOf(review: SummedReview): StoredReview {
  const { _id: id, stars, comment, memberId, authorId, createdAt } = review;
  const shown = { id, stars, created_at: createdAt.toISOString() };
  if (!isSealed(comment)) return { ...shown, comment };
  return { ...shown, comment: null, sealed: base64Of(comment), owner: { memberId, authorId } };
}

/** What subscribers see of it: the contract's event schema takes out its words and its session. */
export const reviewObjectOf = (document: ReviewView): ReviewObject =>
  reviewCreated.object.parse(reviewOf(document, ''));
