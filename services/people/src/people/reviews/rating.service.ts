import { Injectable } from '@nestjs/common';
import { PeriodicPerEnvironment, type Sweep } from '@swim/mongo';
import { InstructorsService } from '../instructors/instructors.service.js';
import { ratingOf, surelyCounts } from './rating.rules.js';
import { shownReviewOf } from './review.mapper.js';
import type { ReviewDocument } from './review.schema.js';
import { ReviewsRepository } from './reviews.repository.js';

const SWEEP_MS = 1_000;
const BATCH = 100;

/**
 * Keeps ratings exact. A review is stored uncounted; the rating is recomputed from all of the instructor's reviews and written
 * if its revision is unchanged since before they were read; only then is the review marked as counted. Each second the sweep
 * counts reviews that a crash left uncounted.
 */
@Injectable()
export class RatingService {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly instructors: InstructorsService,
  ) {}

  /** Makes the instructor's rating include this stored review. Idempotent. */
  async count(review: Pick<ReviewDocument, '_id' | 'instructorId'>): Promise<void> {
    await this.rateAnew(review.instructorId);
    await this.reviews.markCounted(review._id);
  }

  @PeriodicPerEnvironment('ratings', SWEEP_MS)
  async countAll(sweep: Sweep): Promise<void> {
    const left = Map.groupBy(await this.reviews.findUncounted(BATCH), ({ instructorId }) => instructorId);
    const instructors = [...left].map(([_id, reviews]) => ({ _id, reviews: reviews.map((review) => review._id) }));
    await sweep.each(
      instructors,
      ({ _id, reviews }) => this.countOf(_id, reviews),
      ({ reviews }, delayMs) => this.reviews.postpone(reviews, delayMs),
    );
  }

  private async countOf(instructorId: string, reviewIds: string[]): Promise<void> {
    await this.rateAnew(instructorId);
    for (const id of reviewIds) await this.reviews.markCounted(id);
  }

  // The revision is read first: a successful write of the next one has then read every review stored before.
  private async rateAnew(instructorId: string): Promise<void> {
    const seen = await this.instructors.findRatingRev(instructorId);
    let now = seen;
    while (seen !== null && now !== null && !surelyCounts(seen, now)) {
      const { count, stars, newest } = await this.reviews.sum(instructorId);
      const rated = { rating: ratingOf(count, stars), reviews: newest.map(shownReviewOf) };
      if (await this.instructors.rate(instructorId, now, rated)) return;
      now = await this.instructors.findRatingRev(instructorId);
    }
  }
}
