import { Controller } from '@nestjs/common';
import { createReview, listOwnReviews, listReviews, type Page, type ParsedOf, type Review } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { ReviewsService } from './reviews.service.js';

@Controller()
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Serve(createReview)
  async create(input: ParsedOf<typeof createReview>, context: RequestContext): Promise<Review> {
    return this.reviews.create(input, context);
  }

  @Serve(listReviews)
  async list(input: ParsedOf<typeof listReviews>, context: RequestContext): Promise<Page<Review>> {
    return this.reviews.list(input, context);
  }

  @Serve(listOwnReviews)
  async listOwn(input: ParsedOf<typeof listOwnReviews>, context: RequestContext): Promise<Page<Review>> {
    return this.reviews.listOwn(input, context);
  }
}
