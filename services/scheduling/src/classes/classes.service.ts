import { Injectable } from '@nestjs/common';
import {
  classCreated,
  createClass,
  getClass,
  listClasses,
  type Page,
  type ParsedOf,
  removeClass,
  type SwimClass,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import {
  AppError,
  clockOffsetIn,
  currentEnvironment,
  invalidState,
  type RequestContext,
  timeOfId,
} from '@swim/platform';
import { type ClassPlaces, toClass } from '../lessons/classes/class.mapper.js';
import { classRejection, derivedFrom, ordered } from '../lessons/classes/class.rules.js';
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
    // What has just been counted for the filter is stored with the classes.
    const places = query.has_places === undefined ? await this.places.of(items) : new Map<string, ClassPlaces>();
    return { items: items.map((each) => toClass(each, places.get(each._id))), pagination };
  }

  @Serve(removeClass)
  async remove(
    { class_id: id }: ParsedOf<typeof removeClass>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    if (context.resumed && (await this.classes.hasRemoved(context, id))) return {};
    const own = await this.classes.getOwn(context, id);
    if (own.status !== 'draft') throw invalidState('Only a draft can be removed', own.status);
    if (!context.dryRun && !(await this.classes.removeDraft(context, own)))
      throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
    return {};
  }

  private async answer(document: ClassDocument): Promise<SwimClass> {
    return toClass(document, (await this.places.of([document])).get(document._id));
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

export function requireValid(fields: ClassFields): void {
  const rejection = classRejection(fields);
  if (rejection) throw new AppError(rejection.reason, rejection);
}
