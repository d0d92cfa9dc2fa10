import { Injectable } from '@nestjs/common';
import {
  type createReview,
  getSession,
  type listReviews,
  type Page,
  type ParsedOf,
  type Party,
  type Review,
  type Session,
} from '@swim/contracts';
import { type Call, RpcClient } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { InstructorsService } from '../instructors/instructors.service.js';
import { RatingService } from './rating.service.js';
import { reviewOf } from './review.mapper.js';
import { alreadyReviewed, type NewReview, ReviewsRepository } from './reviews.repository.js';

type Instructor = NonNullable<Party['instructor']>;

/** What accounts say of their instructors: once for each completed session, for everyone to read. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly ratings: RatingService,
    private readonly instructors: InstructorsService,
    private readonly rpc: RpcClient,
  ) {}

  async create(input: ParsedOf<typeof createReview>, call: Call): Promise<Review> {
    const { env, accountId } = call.principal;
    const { schoolId } = await this.getInstructor(input.instructor_id, call);
    if (schoolId === accountId) throw ofOneself();
    requireCompleted(await this.getOwnSession(input, call));
    const review = newReview(input, call);
    const first = await this.reviews.findOfSession(env, review.sessionId);
    if (first && first._id !== review._id) throw alreadyReviewed(first);
    if (call.dryRun) return reviewOf({ ...review, createdAt: timeOfId(review._id) }, accountId);
    const stored = await this.reviews.insert(call, review, schoolId);
    await this.ratings.count(env, stored);
    return reviewOf(stored, accountId);
  }

  async list({ instructor_id, ...asked }: ParsedOf<typeof listReviews>, call: Call): Promise<Page<Review>> {
    await this.getInstructor(instructor_id, call);
    const { items, pagination } = await this.reviews.list(call, instructor_id, asked);
    return { items: items.map((review) => reviewOf(review, call.principal.accountId)), pagination };
  }

  private async getInstructor(id: string, call: Call): Promise<Instructor> {
    const instructor = await this.instructors.findTeacher(id, call);
    if (!instructor) throw new AppError('resource_not_found');
    return instructor;
  }

  /** Scheduling knows whose session it is, with whom, and whether it took place. */
  private async getOwnSession(
    { session_id, instructor_id }: ParsedOf<typeof createReview>,
    call: Call,
  ): Promise<Session> {
    const session = await this.rpc.call(getSession, { session_id }, call).catch((error: unknown) => {
      throw error instanceof AppError && error.reason === 'resource_not_found' ? noSuchSession() : error;
    });
    const isOwn = session.account_id === call.principal.accountId && session.instructor_id === instructor_id;
    if (!isOwn) throw noSuchSession();
    return session;
  }
}

const noSuchSession = () => new AppError('not_found', { field: 'session_id' });
const ofOneself = () => new AppError('foreign_account', { message: 'A school does not review its own instructors.' });

function requireCompleted({ status }: Session): void {
  if (status !== 'completed') throw new AppError('invalid_state', { field: 'session_id', details: { status } });
}

const newReview = (input: ParsedOf<typeof createReview>, call: Call): NewReview => ({
  _id: call.newId('rev'),
  instructorId: input.instructor_id,
  sessionId: input.session_id,
  authorId: call.principal.accountId,
  stars: input.stars,
  comment: input.comment ?? null,
});
