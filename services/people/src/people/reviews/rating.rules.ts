import type { Instructor } from '@swim/contracts';

/** How many of the newest reviews an instructor's profile shows. */
export const SHOWN_REVIEWS = 10;

/**
 * The rating from the number of reviews and the sum of their stars: the mean to two decimals, half up, in integer arithmetic
 * so that it does not depend on the order. Null without reviews.
 */
export function ratingOf(count: number, stars: number): Instructor['rating'] {
  if (count === 0) return { average: null, count };
  return { average: Math.floor((200 * stars + count) / (2 * count)) / 100, count };
}

/**
 * Whether a rating includes a review that was stored before its revision was `seen`. The writer of the next revision may have
 * read the reviews earlier; the writer after that started from that revision.
 */
export const surelyCounts = (seen: number, now: number): boolean => now >= seen + 2;
