import { Injectable } from '@nestjs/common';
import {
  createReview,
  getSession,
  listOwnReviews,
  listReviews,
  type Page,
  type ParsedOf,
  type Participants,
  type Review,
  type Session,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { AppError, invalidState, type RequestContext, timeOfId } from '@swim/platform';
import { requireOwnAccount } from '../../identity/accounts/accounts.service.js';
import { ConnectionActivity } from '../connections/connection-activity.service.js';
import { InstructorsService } from '../instructors/instructors.service.js';
import { RatingService } from './rating.service.js';
import { reviewOf } from './review.mapper.js';
import { alreadyReviewed, type NewReview, ReviewsRepository } from './reviews.repository.js';

type Instructor = NonNullable<Participants['instructor']>;

/** Accounts' reviews of instructors: one per completed session, readable by every account. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly reviews: ReviewsRepository,
    private readonly ratings: RatingService,
    private readonly instructors: InstructorsService,
    private readonly activity: ConnectionActivity,
    private readonly rpc: RpcClient,
  ) {}

  @Serve(createReview)
  async create(input: ParsedOf<typeof createReview>, context: RequestContext): Promise<Review> {
    const { accountId } = context.principal;
    const { schoolId } = await this.getInstructor(input.instructor_id, context);
    if (schoolId === accountId) throw ofOneself();
    const session = await this.getOwnSession(input, context);
    requireCompleted(session);
    const review = newReview(input, session, context);
    const first = await this.reviews.findOfSession(review.sessionId);
    if (first && first._id !== review._id) throw alreadyReviewed(first);
    if (context.dryRun) return reviewOf({ ...review, createdAt: timeOfId(review._id) }, accountId);
    const stored = await this.reviews.insert(context, review, schoolId);
    await this.ratings.count(stored);
    await this.activity.noteOwn(schoolId, context);
    return reviewOf(stored, accountId);
  }

  /** Stores a review by an account of a lesson that only the demo data knows. */
  async addDemo(review: NewReview, schoolId: string, context: RequestContext): Promise<void> {
    await this.ratings.count(await this.reviews.insert(context, review, schoolId));
  }

  @Serve(listReviews)
  async list(
    { instructor_id, ...requested }: ParsedOf<typeof listReviews>,
    context: RequestContext,
  ): Promise<Page<Review>> {
    await this.getInstructor(instructor_id, context);
    const { items, pagination } = await this.reviews.list(context, instructor_id, requested);
    return { items: items.map((review) => reviewOf(review, context.principal.accountId)), pagination };
  }

  /** The requesting account's own reviews. */
  @Serve(listOwnReviews)
  async listOwn(
    { account_id, ...requested }: ParsedOf<typeof listOwnReviews>,
    context: RequestContext,
  ): Promise<Page<Review>> {
    requireOwnAccount(account_id, context);
    const { items, pagination } = await this.reviews.listOwn(context, requested);
    return { items: items.map((review) => reviewOf(review, account_id)), pagination };
  }

  private async getInstructor(id: string, context: RequestContext): Promise<Instructor> {
    const instructor = await this.instructors.findTeacher(id, context);
    if (!instructor) throw new AppError('resource_not_found');
    return instructor;
  }

  /** Scheduling owns the session: its account, instructor and status. */
  private async getOwnSession(
    { session_id, instructor_id }: ParsedOf<typeof createReview>,
    context: RequestContext,
  ): Promise<Session> {
    const session = await this.rpc.call(getSession, { session_id }, context).catch((error: unknown) => {
      throw error instanceof AppError && error.reason === 'resource_not_found' ? noSuchSession() : error;
    });
    const isOwn = session.account_id === context.principal.accountId && session.instructor_id === instructor_id;
    if (!isOwn) throw noSuchSession();
    return session;
  }
}

const noSuchSession = () => new AppError('not_found', { field: 'session_id' });
const ofOneself = () =>
  new AppError('foreign_account', {
    message: 'A school does not review its own instructors. Use an API key of the family that had the lesson.',
  });

function requireCompleted({ status }: Session): void {
  if (status !== 'completed') throw invalidState('Only a completed session can be reviewed', status, 'session_id');
}

const newReview = (input: ParsedOf<typeof createReview>, session: Session, context: RequestContext): NewReview => ({
  _id: context.newId('rev'),
  instructorId: input.instructor_id,
  sessionId: input.session_id,
  authorId: context.principal.accountId,
  memberId: session.member_id,
  stars: input.stars,
  comment: input.comment ?? null,
});
