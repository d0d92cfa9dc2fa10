import { Controller } from '@nestjs/common';
import { createReview, listReviews, type Page, type ParsedOf, type Review } from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { ReviewsService } from './reviews.service.js';

@Controller()
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Serve(createReview)
  async create(input: ParsedOf<typeof createReview>, call: Call): Promise<Review> {
    return this.reviews.create(input, call);
  }

  @Serve(listReviews)
  async list(input: ParsedOf<typeof listReviews>, call: Call): Promise<Page<Review>> {
    return this.reviews.list(input, call);
  }
}
