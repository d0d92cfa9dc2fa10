import { type Instructor, type Review, type ReviewObject, reviewCreated } from '@swim/contracts';
import type { Managed } from '@swim/mongo';
import type { ReviewDocument } from './review.schema.js';

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

/** A review as an instructor's profile shows it. */
export const shownReviewOf = (
  document: Pick<ReviewDocument, '_id' | 'stars' | 'comment' | 'createdAt'>,
): Instructor['reviews'][number] => ({
  id: document._id,
  stars: document.stars,
  comment: document.comment,
  created_at: document.createdAt.toISOString(),
});

/** What subscribers see of it: the contract's event schema takes out its words and its session. */
export const reviewObjectOf = (document: ReviewView): ReviewObject =>
  reviewCreated.object.parse(reviewOf(document, ''));
