import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { ReviewsRepository } from './reviews.repository.js';

/** What becomes of reviews when an account is erased: the stars stay, the words do not. */
@Injectable()
export class ReviewsErasure {
  constructor(private readonly reviews: ReviewsRepository) {}

  /** Of those that the account wrote, and of all of these instructors. Safe to repeat. */
  async erase(env: Environment, authorId: string, instructorIds: readonly string[]): Promise<void> {
    await this.reviews.anonymise(env, authorId);
    await this.reviews.clearComments(env, instructorIds);
  }
}
