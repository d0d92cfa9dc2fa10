import { Injectable } from '@nestjs/common';
import { instructorCreated, listOwnInstructors, type Page } from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  isDuplicate,
  type ListRequest,
  type Managed,
  OutboxRelay,
  PUBLIC,
} from '@swim/mongo';
import { AppError, Clock, CursorCodec, type RequestContext, sharedClock } from '@swim/platform';
import { CommentsService, type StoredReview } from '../../identity/privacy/comments.service.js';
import { instructorObjectOf } from './instructor.mapper.js';
import { NO_TEACHER } from './instructor.rules.js';
import { type InstructorDocument, instructorSchema } from './instructor.schema.js';

const RATED_BY_ALL = 'the rating is made of the reviews of all accounts';
const CONFIRMED_BY_ALL = 'the owners of addresses have no account';
const ERASURE = 'an erasure reaches all instructors of the school';
// An erased instructor has no readers.
const SEEN = { 'readers.0': { $exists: true } } as const;

/** The fields of an instructor that depend on its reviews. */
export type Rated = Pick<InstructorDocument, 'rating'> & { reviews: StoredReview[] };

/** Storage of instructors. */
@Injectable()
export class InstructorsRepository extends AggregateRepository<InstructorDocument> {
  /** Instructors whose link to confirm their address is to be sent. */
  readonly unconfirmed = this.work({
    name: 'instructor email confirmations',
    due: 'confirmationDueAt',
    reason: CONFIRMED_BY_ALL,
    // In the sandbox, mails to instructors go to the school.
    environments: ['live'],
    now: () => this.clock.now(),
  });

  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly comments: CommentsService,
    private readonly clock: Clock,
  ) {
    super(databases.collection('instructors', instructorSchema), relay, true);
  }

  protected override opened(stored: InstructorDocument[]): Promise<InstructorDocument[]> {
    return this.comments.openShownOf(stored);
  }

  /** Stores a new instructor with its event; `already_exists` when the school has one with that e-mail. */
  async insert(
    context: RequestContext,
    fields: Omit<InstructorDocument, Managed | 'readers'>,
  ): Promise<InstructorDocument> {
    const created = { type: instructorCreated, object: instructorObjectOf, audience: [fields.schoolId] };
    return withEmailTaken(() => this.create(context, { ...fields, readers: [PUBLIC, fields.schoolId] }, [created]));
  }

  /** Records that the link was sent, unless there is another one by now. */
  async markConfirmationSent(instructor: InstructorDocument, now: Date): Promise<void> {
    const change = { $set: { 'emailConfirmation.sentAt': now }, $unset: { confirmationDueAt: 1 } };
    await this.update(asSystem(CONFIRMED_BY_ALL), linkOf(instructor), change);
  }

  /** Records that the owner has confirmed the address, unless there is another one by now; returns whether it did. */
  confirmEmail(instructor: InstructorDocument, now: Date): Promise<boolean> {
    const change = { $set: { 'emailConfirmation.confirmedAt': now }, $unset: { confirmationDueAt: 1 } };
    return this.update(asSystem(CONFIRMED_BY_ALL), linkOf(instructor), change);
  }

  /** Every account may read every school's instructors. */
  async find({ principal }: RequestContext, id: string): Promise<InstructorDocument | null> {
    return this.lookUp(principal, id);
  }

  /** Those of these instructors that exist, for messages about their lessons. */
  findAll(ids: readonly string[]): Promise<InstructorDocument[]> {
    return this.lookUpAll(asSystem('messages name the instructor of a lesson'), ids);
  }

  /** One of the requesting account's instructors. */
  async getOwn({ principal }: RequestContext, id: string): Promise<InstructorDocument> {
    const own = await this.lookUp(principal, id);
    if (own?.schoolId !== principal.accountId) throw new AppError('resource_not_found');
    return own;
  }

  /** Whether another instructor of the school has this e-mail. */
  async hasEmail(schoolId: string, emailKey: string, exceptId: string): Promise<boolean> {
    const scope = asSystem('the filter names the school');
    return (await this.findOne(scope, { schoolId, emailKey, _id: { $ne: exceptId } })) !== null;
  }

  /** Changes an instructor of the requesting account; `already_exists` when its new e-mail is taken in the school. */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: InstructorDocument) => Decision<InstructorDocument> | null,
  ): Promise<Changed<InstructorDocument>> {
    const isOwn = ({ schoolId }: InstructorDocument) => schoolId === context.principal.accountId;
    const changed = await withEmailTaken(() => this.mutate(context.principal, id, context, decide, isOwn));
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Ids of a school's instructors: of all, or of those that are not emptied yet; of these, those made before an instant. */
  async findIdsOfSchool(schoolId: string, which: 'all' | 'left', before?: Date): Promise<string[]> {
    const of = which === 'all' ? { schoolId } : { schoolId, ...SEEN };
    const made = before ? { createdAt: { $lt: before } } : {};
    return (await this.findPicked(asSystem(ERASURE), { ...of, ...made }, [])).map(({ _id }) => _id);
  }

  /** Removes all personal data of an instructor, which has no readers from then on. */
  async erase(context: RequestContext, id: string): Promise<void> {
    // The e-mail must stay unique in the school; the id is unique.
    const set = { ...NO_TEACHER, emailKey: id, readers: [] };
    const gone = () => ({ set, unseen: true, forgetsAnswers: true });
    await this.mutate(asSystem(ERASURE), id, { ...context, opId: null }, gone);
  }

  /** The revision of the rating; null when there is no such instructor, or its school is erased. */
  async findRatingRev(id: string): Promise<number | null> {
    const rated = { _id: id, ...SEEN };
    const [found] = await this.findPicked<'ratingRev'>(asSystem(RATED_BY_ALL), rated, ['ratingRev']);
    return found?.ratingRev ?? null;
  }

  /** Writes rating and reviews if the rating's revision is `ratingRev` and the instructor not erased; returns whether it did. */
  rate(id: string, ratingRev: number, rated: Rated): Promise<boolean> {
    const unchanged = { _id: id, ...SEEN, ratingRev };
    const set = { ...rated, ratingRev: ratingRev + 1, updatedAt: sharedClock.now() };
    return this.update(asSystem(RATED_BY_ALL), unchanged, { $set: set });
  }

  /** The requesting account's instructors, newest first. */
  listOwn({ principal }: RequestContext, request: ListRequest): Promise<Page<InstructorDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listOwnInstructors.name, accountId, env, filters: {} };
    const order = { order: 'newest', request, cursors: this.cursors, bound } as const;
    return this.page(principal, { schoolId: accountId }, order);
  }
}

const linkOf = ({ _id, emailConfirmation }: InstructorDocument) => ({
  _id,
  'emailConfirmation.id': emailConfirmation?.id ?? null,
});

async function withEmailTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const taken = isDuplicate(error) || (error instanceof AppError && error.reason === 'already_exists');
    throw taken ? emailTaken() : error;
  }
}

/** The error of an instructor with the e-mail address of another one of the school. */
export const emailTaken = (): AppError =>
  new AppError('already_exists', {
    field: 'email',
    message:
      'email must differ from that of every other instructor of the school. Use another address, or change the existing instructor.',
  });
