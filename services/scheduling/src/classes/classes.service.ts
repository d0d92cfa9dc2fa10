import { Injectable } from '@nestjs/common';
import {
  classCreated,
  classUpdated,
  createClass,
  getClass,
  listClasses,
  type Page,
  type ParsedOf,
  removeClass,
  type SwimClass,
  updateClass,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  clockOffsetIn,
  currentEnvironment,
  invalidState,
  type RequestContext,
  staleVersion,
  timeOfId,
} from '@swim/platform';
import { toClass } from '../lessons/classes/class.mapper.js';
import {
  type ClassChanges,
  classRejection,
  derivedFrom,
  differingFields,
  ordered,
} from '../lessons/classes/class.rules.js';
import type { ClassDocument, ClassFields } from '../lessons/classes/class.schema.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { ClassesRepository, type NewClass } from '../lessons/classes/classes.repository.js';
import { ParticipantResolverService } from '../participants/participant-resolver.service.js';
import { schoolInstructor } from '../teaching/lesson-making.service.js';

/** Classes as the school writes them and every account reads them. */
@Injectable()
export class ClassesService {
  constructor(
    private readonly classes: ClassesRepository,
    private readonly participants: ParticipantResolverService,
    private readonly places: ClassPlacesService,
  ) {}

  @Serve(createClass)
  async create(input: ParsedOf<typeof createClass>, context: RequestContext): Promise<SwimClass> {
    const id = context.newId('cls');
    const earlier = context.resumed ? await this.classes.findAny(id) : null;
    if (earlier) return toClass(earlier);
    const { instructor, rules } = await schoolInstructor(this.participants, input.instructor_id, context);
    const { location } = await this.participants.placeOf(context, input.location ?? null, rules);
    const fields = { ...fieldsOf(input), location, currency: instructor.currency };
    requireValid(fields);
    const document: NewClass = {
      _id: id,
      readers: [rules.schoolId],
      schoolId: rules.schoolId,
      status: 'draft',
      version: 1,
      searchWords: [],
      ...{ placesLeft: null, nextLessonAt: null, countRev: 0, countDueAt: null, dueAt: null },
      ...fields,
      ...derivedFrom(fields),
      ...clockOffsetIn(currentEnvironment(), rules.clockOffsetMs),
    };
    const madeAt = timeOfId(id);
    if (context.dryRun) return toClass({ ...document, createdAt: madeAt, updatedAt: madeAt } as ClassDocument);
    return toClass(await this.classes.insert(context, document, classCreated));
  }

  @Serve(getClass)
  async get({ class_id: id }: ParsedOf<typeof getClass>, context: RequestContext): Promise<SwimClass> {
    return this.answer(await this.classes.getVisible(context, id));
  }

  @Serve(listClasses)
  async list(query: ParsedOf<typeof listClasses>, context: RequestContext): Promise<Page<SwimClass>> {
    if (query.has_places !== undefined) await this.places.countDue();
    const { items, pagination } = await this.classes.listVisible(context, query);
    const places = await this.places.of(items);
    return { items: items.map((each) => toClass(each, places.get(each._id))), pagination };
  }

  @Serve(updateClass)
  async update({ class_id: id, changes }: ParsedOf<typeof updateClass>, context: RequestContext): Promise<SwimClass> {
    const own = await this.getOwn(id, context);
    const resolved = await this.resolve(own, changes, context);
    const decide = (now: ClassDocument) => changesOf(now, changes, resolved);
    if (context.dryRun) {
      const set = decide(own);
      return toClass({ ...own, ...set, version: own.version + (set ? 1 : 0) });
    }
    const { document, earlierAnswer } = await this.classes.change(context, own, classUpdated, decide);
    return { ...(await this.answer(document)), ...(earlierAnswer as object | undefined) };
  }

  @Serve(removeClass)
  async remove(
    { class_id: id }: ParsedOf<typeof removeClass>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    if (context.resumed && (await this.classes.hasRemoved(context, id))) return {};
    const own = await this.getOwn(id, context);
    if (own.status !== 'draft') throw invalidState('Only a draft can be removed', own.status);
    if (!context.dryRun && !(await this.classes.removeDraft(context, own)))
      throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return {};
  }

  private async answer(document: ClassDocument): Promise<SwimClass> {
    return toClass(document, (await this.places.of([document])).get(document._id));
  }

  private async getOwn(id: string, context: RequestContext): Promise<ClassDocument> {
    const found = await this.classes.getVisible(context, id);
    if (found.schoolId !== context.principal.accountId) throw new AppError('school_only');
    return found;
  }

  /** The currency of another instructor. Throws where the changes name an instructor or a pool that the school does not have. */
  private async resolve(
    now: ClassDocument,
    { instructor_id, location }: ClassChanges,
    context: RequestContext,
  ): Promise<Partial<ClassFields>> {
    const isOther = instructor_id !== undefined && instructor_id !== now.instructorId;
    if (!isOther && !location) return {};
    const { instructor, rules } = await schoolInstructor(this.participants, instructor_id ?? now.instructorId, context);
    if (location) await this.participants.placeOf(context, location, rules);
    return isOther ? { currency: instructor.currency } : {};
  }
}

const fieldsOf = (input: ParsedOf<typeof createClass>): Omit<ClassFields, 'currency' | 'location'> => ({
  name: input.name,
  description: input.description ?? null,
  instructorId: input.instructor_id,
  recurrence: ordered(input.recurrence),
  durationMinutes: input.duration_minutes,
  capacity: input.capacity,
  levels: input.levels,
  minAgeYears: input.min_age_years ?? null,
  maxAgeYears: input.max_age_years ?? null,
  priceCents: input.price_cents,
});

function requireValid(fields: ClassFields): void {
  const rejection = classRejection(fields);
  if (rejection) throw new AppError(rejection.reason, rejection);
}

/** What is to be stored; null when nothing changes. Throws where a class cannot be changed like this. */
function changesOf(
  now: ClassDocument,
  changes: ClassChanges,
  resolved: Partial<ClassFields>,
): Partial<ClassDocument> | null {
  const { version } = changes;
  if (version !== undefined && version !== now.version) throw staleVersion(version, now.version);
  if (now.work) throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
  if (now.status !== 'draft') throw invalidState('Only a draft can be changed', now.status);
  const set = { ...differingFields(now, changes), ...resolved };
  if (Object.keys(set).length === 0) return null;
  requireValid({ ...now, ...set });
  return { ...set, ...derivedFrom(set) };
}
