import { Module } from '@nestjs/common';
import { InstructorsModule } from '../instructors/instructors.module.js';
import { MembersModule } from '../members/members.module.js';
import { RatingService } from './rating.service.js';
import { ReviewsRepository } from './reviews.repository.js';
import { ReviewsService } from './reviews.service.js';
import { ReviewsErasure } from './reviews-erasure.service.js';

/** Reviews of instructors and the ratings that follow from them. */
@Module({
  imports: [InstructorsModule, MembersModule],
  providers: [ReviewsService, RatingService, ReviewsErasure, ReviewsRepository],
  exports: [ReviewsErasure],
})
export class ReviewsModule {}
