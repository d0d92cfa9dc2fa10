import { Injectable } from '@nestjs/common';
import {
  type createInstructor,
  type Environment,
  getPool,
  type Instructor,
  type InstructorChanges,
  instructorUpdated,
  type ParsedOf,
  type Party,
  type ServiceArea,
  type updateInstructor,
} from '@swim/contracts';
import { type Call, RpcClient } from '@swim/messaging';
import type { Decision } from '@swim/mongo';
import { AppError, Clock, timeOfId } from '@swim/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { formerValues } from '../changes.rules.js';
import { toE164 } from '../libphonenumber.adapter.js';
import { type InstructorView, instructorObjectOf, instructorOf, teacherOf } from './instructor.mapper.js';
import { changedFields, newProfile } from './instructor.rules.js';
import type { InstructorDocument } from './instructor.schema.js';
import { InstructorsRepository, type Rated } from './instructors.repository.js';

type NewInstructor = Omit<InstructorView, 'createdAt' | 'updatedAt'>;

/** The people who teach: a school writes them, everyone reads them. */
@Injectable()
export class InstructorsService {
  constructor(
    private readonly instructors: InstructorsRepository,
    private readonly accounts: AccountsService,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  async create(input: ParsedOf<typeof createInstructor>, call: Call): Promise<Instructor> {
    requireSchool(call);
    const fields = await this.newInstructor(withE164(input), call);
    await this.requirePools(input.service_areas, call);
    if (!call.dryRun) return instructorOf(await this.instructors.insert(call, fields));
    await this.requireFreeEmail(fields, call);
    const createdAt = timeOfId(fields._id);
    return instructorOf({ ...fields, createdAt, updatedAt: createdAt });
  }

  async get(id: string, call: Call): Promise<Instructor> {
    const document = await this.instructors.find(call, id);
    if (!document) throw new AppError('resource_not_found');
    return instructorOf(document);
  }

  async update({ instructor_id, changes }: ParsedOf<typeof updateInstructor>, call: Call): Promise<Instructor> {
    requireSchool(call);
    const own = await this.instructors.getOwn(call, instructor_id);
    const wanted = withE164(changes);
    await this.requirePools(changes.service_areas, call);
    if (call.dryRun) return this.preview(own, wanted, call);
    const { document, earlierAnswer } = await this.instructors.change(call, instructor_id, (now) =>
      decisionOn(now, wanted),
    );
    return (earlierAnswer as Instructor | undefined) ?? instructorOf(document);
  }

  /** What a booking needs to know; null when there is no such instructor. */
  async findTeacher(id: string, call: Call): Promise<Party['instructor']> {
    const document = await this.instructors.find(call, id);
    return document && teacherOf(document);
  }

  /** How often the rating was written; null when there is no such instructor. */
  findRatingRev(env: Environment, id: string): Promise<number | null> {
    return this.instructors.findRatingRev(env, id);
  }

  /** Writes the rating if it was written `ratingRev` times so far; whether it was. */
  rate(env: Environment, id: string, ratingRev: number, rated: Rated): Promise<boolean> {
    return this.instructors.rate(env, id, ratingRev, rated);
  }

  private async newInstructor(input: ParsedOf<typeof createInstructor>, call: Call): Promise<NewInstructor> {
    const { env, accountId } = call.principal;
    const school = await this.accounts.findFacts(env, accountId);
    if (!school) throw new Error('The account of this key does not exist.');
    return { _id: call.newId('ins'), schoolId: accountId, version: 1, ...newProfile(input, school) };
  }

  private async preview(own: InstructorDocument, wanted: InstructorChanges, call: Call): Promise<Instructor> {
    const decision = decisionOn(own, wanted);
    if (!decision) return instructorOf(own);
    const after = { ...own, ...decision.set, updatedAt: this.clock.now() };
    await this.requireFreeEmail(after, call);
    return instructorOf(after);
  }

  private async requireFreeEmail({ _id, schoolId, emailKey }: NewInstructor, call: Call): Promise<void> {
    const taken = await this.instructors.hasEmail(call.principal.env, schoolId, emailKey, _id);
    if (taken) throw new AppError('already_exists', { field: 'email' });
  }

  /** Scheduling owns the pools: each one named must be a pool that the school can see. */
  private async requirePools(areas: readonly ServiceArea[] = [], call: Call): Promise<void> {
    const fieldOf = new Map(
      areas.flatMap((area, a) => area.pool_ids.map((id, p) => [id, `service_areas.${a}.pool_ids.${p}`] as const)),
    );
    const ask = async ([pool_id, field]: [string, string]) => {
      await this.rpc.call(getPool, { pool_id }, call).catch((error: unknown) => {
        throw error instanceof AppError && error.reason === 'resource_not_found'
          ? new AppError('not_found', { field })
          : error;
      });
    };
    await Promise.all([...fieldOf].map(ask));
  }
}

function requireSchool({ principal }: Call): void {
  if (principal.kind !== 'school') throw new AppError('school_only');
}

const withE164 = <T extends { phone?: string | null | undefined }>(fields: T): T =>
  fields.phone ? { ...fields, phone: toE164(fields.phone, 'phone') } : fields;

// A PATCH that repeats what is there changes nothing and tells nobody.
function decisionOn(now: InstructorDocument, wanted: InstructorChanges): Decision<InstructorDocument> | null {
  if (wanted.version !== undefined && wanted.version !== now.version)
    throw new AppError('stale_version', { field: 'version' });
  const changed = changedFields(now, wanted);
  if (Object.keys(changed).length === 0) return null;
  const set = { ...changed, version: now.version + 1 };
  const previous = formerValues(instructorObjectOf(now), instructorObjectOf({ ...now, ...set }));
  return {
    set,
    events: [{ type: instructorUpdated, object: instructorObjectOf, previous, audience: [now.schoolId] }],
    answer: instructorOf,
  };
}
