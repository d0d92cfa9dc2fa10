import type { Instructor } from '@swim/contracts';

/** How many of the newest reviews an instructor's profile shows. */
export const SHOWN_REVIEWS = 10;

/**
 * The rating that a number of reviews with this many stars together makes: their mean to two decimals, half up, reckoned
 * in whole numbers so that it is the same however it came about. Null without reviews.
 */
export function ratingOf(count: number, stars: number): Instructor['rating'] {
  if (count === 0) return { average: null, count };
  return { average: Math.floor((200 * stars + count) / (2 * count)) / 100, count };
}

/**
 * Whether a rating holds a review that was stored before its revision was `seen`. The writer of the next revision may have
 * read the reviews earlier; the one after that began only when the next was there.
 */
export const surelyCounts = (seen: number, now: number): boolean => now >= seen + 2;
