import { Injectable } from '@nestjs/common';
import {
  createInstructor,
  findLessonsOutside,
  getInstructor,
  getPool,
  type Instructor,
  type InstructorChanges,
  instructorUpdated,
  listOwnInstructors,
  type Page,
  type ParsedOf,
  type Participants,
  type ServiceArea,
  unrepresentable,
  updateInstructor,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { type Decision, metadataChange } from '@swim/mongo';
import { AppError, Clock, formerValues, type RequestContext, staleVersion, timeOfId } from '@swim/platform';
import { AccountsService, requireOwnAccount } from '../../identity/accounts/accounts.service.js';
import { toE164 } from '../libphonenumber.adapter.js';
import { type InstructorView, instructorObjectOf, instructorOf, teacherOf } from './instructor.mapper.js';
import { changedFields, newProfile } from './instructor.rules.js';
import type { InstructorDocument } from './instructor.schema.js';
import { type Confirmation, InstructorEmailsService } from './instructor-emails.service.js';
import { emailTaken, InstructorsRepository, type Rated } from './instructors.repository.js';

/** What messages need of an instructor. */
export interface ReachableInstructor extends Pick<InstructorDocument, 'name' | 'schoolId' | 'timezone'> {
  id: string;
  /** Null unless it is confirmed. */
  email: string | null;
}

type NewInstructor = Omit<InstructorView, 'createdAt' | 'updatedAt'>;

/** Instructors: written by their school, readable by every account. */
@Injectable()
export class InstructorsService {
  constructor(
    private readonly instructors: InstructorsRepository,
    private readonly accounts: AccountsService,
    private readonly emails: InstructorEmailsService,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  @Serve(createInstructor)
  async create(input: ParsedOf<typeof createInstructor>, context: RequestContext): Promise<Instructor> {
    requireSchool(context);
    const fields = await this.newInstructor(withE164(input), context);
    requireRate(fields);
    await this.requirePools(input.service_areas, context);
    if (!context.dryRun) return instructorOf(await this.instructors.insert(context, fields));
    await this.requireFreeEmail(fields);
    const createdAt = timeOfId(fields._id);
    return instructorOf({ ...fields, createdAt, updatedAt: createdAt });
  }

  @Serve(getInstructor)
  async get({ instructor_id: id }: ParsedOf<typeof getInstructor>, context: RequestContext): Promise<Instructor> {
    const document = await this.instructors.find(context, id);
    if (!document) throw new AppError('resource_not_found');
    return instructorOf(document);
  }

  /** The requesting account's own. */
  @Serve(listOwnInstructors)
  async listOwn(
    { account_id, ...requested }: ParsedOf<typeof listOwnInstructors>,
    context: RequestContext,
  ): Promise<Page<Instructor>> {
    requireOwnAccount(account_id, context);
    const { items, pagination } = await this.instructors.listOwn(context, requested);
    return { items: items.map(instructorOf), pagination };
  }

  @Serve(updateInstructor)
  async update(
    { instructor_id, changes }: ParsedOf<typeof updateInstructor>,
    context: RequestContext,
  ): Promise<Instructor> {
    requireSchool(context);
    const own = await this.instructors.getOwn(context, instructor_id);
    const requested = withE164(changes);
    await this.requirePools(changes.service_areas, context);
    if (context.dryRun) {
      const preview = await this.preview(own, requested, context);
      await this.warnOfLessons(preview, changes, context);
      return preview;
    }
    const { document, earlierAnswer } = await this.instructors.change(context, instructor_id, (now) =>
      this.decisionOn(now, requested, context),
    );
    const now = instructorOf(document);
    await this.warnOfLessons(now, changes, context);
    return earlierAnswer === undefined ? now : { ...(earlierAnswer as Instructor), reviews: now.reviews };
  }

  /** Warns of booked lessons that a change of hours, zone or status leaves outside. */
  private async warnOfLessons(
    { id, timezone, availability_schedule: schedule, status }: Instructor,
    changes: InstructorChanges,
    context: RequestContext,
  ): Promise<void> {
    if (!changes.availability_schedule && !changes.timezone && !changes.status) return;
    const hours = { instructorId: id, timezone, schedule, isActive: status === 'active' };
    const { count, lessonIds: lesson_ids } = await this.rpc.call(findLessonsOutside, hours, context);
    if (count > 0) context.warnings.push({ code: 'lessons_outside_hours', count, lesson_ids });
  }

  /** The fields that a booking needs; null when there is no such instructor. */
  async findTeacher(id: string, context: RequestContext): Promise<Participants['instructor']> {
    const document = await this.instructors.find(context, id);
    return document && teacherOf(document);
  }

  /** Those of these instructors that exist, as messages name and reach them. */
  async findReachable(ids: readonly string[]): Promise<ReachableInstructor[]> {
    const found = await this.instructors.findAll(ids);
    return found.map(({ _id: id, name, schoolId, timezone, email, emailConfirmation }) => ({
      id,
      name,
      schoolId,
      timezone,
      email: emailConfirmation?.confirmedAt ? email : null,
    }));
  }

  /** The revision of the rating; null when there is no such instructor. */
  findRatingRev(id: string): Promise<number | null> {
    return this.instructors.findRatingRev(id);
  }

  /** Writes the rating if it is still at revision `ratingRev`; returns whether it did. */
  rate(id: string, ratingRev: number, rated: Rated): Promise<boolean> {
    return this.instructors.rate(id, ratingRev, rated);
  }

  private async newInstructor(
    input: ParsedOf<typeof createInstructor>,
    context: RequestContext,
  ): Promise<NewInstructor> {
    const { accountId } = context.principal;
    const school = await this.accounts.findFacts(accountId);
    if (!school) throw new Error('The account of this key does not exist.');
    return {
      _id: context.newId('ins'),
      schoolId: accountId,
      version: 1,
      ...newProfile(input, school),
      ...metadataChange(undefined, input.metadata),
      ...this.emails.begun(context),
    };
  }

  private decisionOn(now: InstructorDocument, requested: InstructorChanges, context: RequestContext) {
    return decisionOn(now, requested, this.emails.confirmationAfter(now, requested.email, context));
  }

  private async preview(
    own: InstructorDocument,
    requested: InstructorChanges,
    context: RequestContext,
  ): Promise<Instructor> {
    const decision = this.decisionOn(own, requested, context);
    if (!decision) return instructorOf(own);
    const after = { ...own, ...decision.set, updatedAt: this.clock.now() };
    await this.requireFreeEmail(after);
    return instructorOf(after);
  }

  private async requireFreeEmail({ _id, schoolId, emailKey }: NewInstructor): Promise<void> {
    const taken = await this.instructors.hasEmail(schoolId, emailKey, _id);
    if (taken) throw emailTaken();
  }

  /** Scheduling owns the pools: each named one must be a pool that the school can see. */
  private async requirePools(areas: readonly ServiceArea[] = [], context: RequestContext): Promise<void> {
    const fieldOf = new Map(
      areas.flatMap((area, a) => area.pool_ids.map((id, p) => [id, `service_areas.${a}.pool_ids.${p}`] as const)),
    );
    const checkPool = async ([pool_id, field]: [string, string]) => {
      await this.rpc.call(getPool, { pool_id }, context).catch((error: unknown) => {
        throw error instanceof AppError && error.reason === 'resource_not_found'
          ? new AppError('not_found', { field })
          : error;
      });
    };
    await Promise.all([...fieldOf].map(checkPool));
  }
}

function requireSchool({ principal }: RequestContext): void {
  if (principal.kind !== 'school') throw new AppError('school_only');
}

function requireRate({ hourlyRateCents, currency }: Pick<InstructorDocument, 'hourlyRateCents' | 'currency'>): void {
  const rejection = unrepresentable('hourly_rate_cents', hourlyRateCents, currency);
  if (rejection) throw new AppError(rejection.reason, rejection);
}

const withE164 = <T extends { phone?: string | null | undefined }>(fields: T): T =>
  fields.phone ? { ...fields, phone: toE164(fields.phone, 'phone') } : fields;

// A PATCH without a differing value changes and publishes nothing.
function decisionOn(
  now: InstructorDocument,
  requested: InstructorChanges,
  confirmation: Confirmation,
): Decision<InstructorDocument> | null {
  if (requested.version !== undefined && requested.version !== now.version)
    throw staleVersion(requested.version, now.version);
  const changed = { ...changedFields(now, requested), ...metadataChange(now.metadata, requested.metadata) };
  if (Object.keys(changed).length === 0)
    return Object.keys(confirmation).length === 0 ? null : { set: confirmation, unseen: true };
  if ('hourlyRateCents' in changed || 'currency' in changed) requireRate({ ...now, ...changed });
  const set = { ...changed, ...confirmation, version: now.version + 1 };
  const previous = formerValues(instructorObjectOf(now), instructorObjectOf({ ...now, ...set }));
  return {
    set,
    events: [{ type: instructorUpdated, object: instructorObjectOf, previous, audience: [now.schoolId] }],
    // Comments are stored only encrypted.
    answer: (after) => ({ ...instructorOf(after), reviews: [] }),
  };
}
