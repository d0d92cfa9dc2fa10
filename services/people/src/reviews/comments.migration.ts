import { Injectable } from '@nestjs/common';
import type { Environment } from '@swim/contracts';
import { type DataMigration, DataMigrations, type MigratedBatch } from '@swim/mongo';
import { InstructorsService } from '../instructors/instructors.service.js';
import { ProgressService } from '../members/progress.service.js';
import { RatingService } from './rating.service.js';
import { ReviewsRepository } from './reviews.repository.js';

const BATCH = 100;

/** Encrypts comments that a former release stored in clear, in reviews and in instructors' profiles. */
@Injectable()
export class CommentsMigration implements DataMigration {
  readonly name = '0001-reviews-with-encrypted-comments';

  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly progress: ProgressService,
    private readonly ratings: RatingService,
    private readonly instructors: InstructorsService,
    migrations: DataMigrations,
  ) {
    migrations.register(this);
  }

  async migrate(env: Environment, after: string): Promise<MigratedBatch> {
    const found = await this.reviews.findStoredAfter(env, after, BATCH);
    const former = found.filter(({ comment }) => typeof comment === 'string');
    for (const review of former) {
      await this.reviews.sealFormer(env, review, await this.progress.findMemberOf(env, review.sessionId));
    }
    // Rewriting the profile takes the comments from the reviews.
    for (const [instructorId, [review]] of Map.groupBy(former, ({ instructorId }) => instructorId)) {
      await this.ratings.count(env, review!);
      await this.instructors.forgetAnswers(env, instructorId);
    }
    return { last: found.at(-1)?._id ?? null, changed: former.length };
  }
}
