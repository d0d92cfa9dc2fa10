import { type Review, type ReviewObject, reviewCreated, withKinds } from '@swim/contracts';
import { base64Of, isSealed, type Managed } from '@swim/mongo';
import type { StoredReview } from '../../identity/privacy/comments.service.js';
import type { ReviewDocument } from './review.schema.js';

/** The fields of a stored review for the instructor's profile; its comment is encrypted. */
export type SummedReview = Pick<ReviewDocument, '_id' | 'stars' | 'comment' | 'memberId' | 'authorId' | 'createdAt'>;

/** A review's document, or one that a dry run would have stored. */
export type ReviewView = Omit<ReviewDocument, Managed | 'readers' | 'counted'> & Pick<ReviewDocument, 'createdAt'>;

/** Maps a review to the API's JSON for this account. */
export const reviewOf = (document: ReviewView, readerId: string): Review => ({
  id: document._id,
  instructor_id: document.instructorId,
  ...(document.authorId === readerId ? { session_id: document.sessionId } : {}),
  stars: document.stars,
  comment: document.comment,
  created_at: document.createdAt.toISOString(),
});

/** A review as stored with an instructor, with the ciphertext of its comment. */
export function shownReviewOf(review: SummedReview): StoredReview {
  const { _id: id, stars, comment, memberId, authorId, createdAt } = review;
  const shown = { id, stars, created_at: createdAt.toISOString() };
  if (!isSealed(comment)) return { ...shown, comment };
  return { ...shown, comment: null, sealed: base64Of(comment), owner: { memberId, authorId } };
}

/** Maps a review to its events: the contract's event schema removes its comment and session. */
export const reviewObjectOf = (document: ReviewView): ReviewObject =>
  reviewCreated.object.parse(withKinds(reviewCreated.object, reviewOf(document, '')));
