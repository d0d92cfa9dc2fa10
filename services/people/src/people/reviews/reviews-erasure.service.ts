import { Injectable } from '@nestjs/common';
import { ReviewsRepository } from './reviews.repository.js';

/** Erases the comments of reviews during an account's erasure; the stars stay. */
@Injectable()
export class ReviewsErasure {
  constructor(private readonly reviews: ReviewsRepository) {}

  /** The reviews that the account wrote, or has written before an instant, and all reviews of these instructors. Idempotent. */
  async erase(authorId: string, instructorIds: readonly string[], before?: Date): Promise<void> {
    await this.reviews.anonymise(authorId, before);
    await this.reviews.clearComments(instructorIds);
  }
}
