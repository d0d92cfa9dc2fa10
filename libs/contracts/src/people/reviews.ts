import { z } from 'zod';
import { id, idText, instantText, text } from '../formats/formats.js';
import { listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

/** A review as its operations return it. `session_id` only for its author, who is hidden from all other accounts. */
export const review = apiObject('review', {
  id: idText('rev'),
  instructor_id: idText('ins'),
  session_id: idText('ses').optional(),
  stars: z.int(),
  comment: z.string().nullable(),
  created_at: instantText,
});
export type Review = z.output<typeof review>;

/** The object in a review's events: neither its text nor its author. */
const reviewObject = review.omit({ session_id: true, comment: true });
export type ReviewObject = z.output<typeof reviewObject>;

/**
 * Once for each completed session, by the account of its member; `already_exists` names the first in `details.review_id`.
 * The instructor's school is rejected with `foreign_account`; `not_found` stands for any session of others.
 */
export const createReview = rpc('people.createReview', {
  summary: 'Review an instructor',
  description: 'One review for each completed session.',
  kind: 'write',
  input: z.strictObject({
    instructor_id: id('ins'),
    session_id: id('ses'),
    stars: z.int().min(1).max(5),
    comment: text(2000).nullish(),
  }),
  output: review,
  errors: ['resource_not_found', 'foreign_account', 'not_found', 'invalid_state', 'already_exists'],
});

export const listReviews = rpc('people.listReviews', {
  summary: 'List reviews of an instructor',
  description: 'Reviews, newest first, without the names of those who wrote them.',
  kind: 'list',
  input: listQuery({ instructor_id: id('ins') }),
  output: review,
  errors: ['resource_not_found'],
});

export const reviewCreated = event('people', 'review.created', reviewObject);
