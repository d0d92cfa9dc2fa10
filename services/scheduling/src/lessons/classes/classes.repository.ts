import { Injectable } from '@nestjs/common';
import {
  beginningWith,
  type classCreated,
  type classUpdated,
  type listClasses,
  type Page,
  type ParsedOf,
  searchTermsOf,
} from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type Filter,
  type Managed,
  OutboxRelay,
  previousOf,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { toClassObject } from './class.mapper.js';
import { type ClassDocument, classSchema } from './class.schema.js';

/** The fields of a new class. */
export type NewClass = Omit<ClassDocument, Managed>;

const system = asSystem('a class was read in its account’s scope before');

type ClassEvent = typeof classCreated | typeof classUpdated;

/** Storage of classes. */
@Injectable()
export class ClassesRepository extends AggregateRepository<ClassDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('classes', classSchema), relay, true);
  }

  insert(context: RequestContext, document: NewClass, event: ClassEvent): Promise<ClassDocument> {
    return this.create(context, document, [{ type: event, object: toClassObject, audience: [document.schoolId] }]);
  }

  /** Regardless of its readers, for the service's own work. */
  findAny(id: string): Promise<ClassDocument | null> {
    return this.lookUp(system, id);
  }

  /** Throws `resource_not_found` when the account sees no such class. */
  async getVisible({ principal }: RequestContext, id: string): Promise<ClassDocument> {
    const found = await this.lookUp(principal, id);
    if (!found) throw new AppError('resource_not_found');
    return found;
  }

  listVisible({ principal }: RequestContext, query: ParsedOf<typeof listClasses>): Promise<Page<ClassDocument>> {
    return this.listPage(principal, query, { name: 'classes', filter: toFilter(query), cursors: this.cursors });
  }

  /** The class as `decide` changes it, in one write with an event for its school; null from `decide` changes nothing. */
  async change(
    context: RequestContext,
    of: string | ClassDocument,
    event: ClassEvent,
    decide: (now: ClassDocument) => Decision<ClassDocument>['set'] | null,
  ): Promise<Changed<ClassDocument>> {
    const changed = await this.mutate(system, of, context, (now) => {
      const set = decide(now);
      if (!set) return null;
      const version = now.version + 1;
      const previous = previousOf(toClassObject(now), toClassObject({ ...now, ...set, version }));
      const events = [{ type: event, object: toClassObject, previous, audience: [now.schoolId] }];
      return { set: { ...set, version }, events, answer: toClassObject };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Removes a draft as it was read; false when it has changed since. */
  removeDraft(context: RequestContext, { _id, rev }: ClassDocument): Promise<boolean> {
    return this.removeForGood(system, { _id, rev, status: 'draft' }, context);
  }
}

function toFilter({
  account_id,
  level,
  age_years,
  instructor_id,
  pool_id,
  weekday,
  search,
}: ParsedOf<typeof listClasses>): Filter {
  const conditions: object[] = [
    ...(level === undefined ? [] : [{ $or: [{ levels: mongoose.trusted({ $size: 0 }) }, { levels: level }] }]),
    ...(age_years === undefined ? [] : fittingAge(age_years)),
    ...(search === undefined ? [] : beginnings(search)),
  ];
  return {
    ...(account_id === undefined ? {} : { schoolId: account_id }),
    ...(instructor_id === undefined ? {} : { instructorId: instructor_id }),
    ...(pool_id === undefined ? {} : { 'location.pool_id': pool_id }),
    ...(weekday === undefined ? {} : { 'recurrence.weekdays': weekday }),
    ...(conditions.length === 0 ? {} : { $and: conditions }),
  };
}

const fittingAge = (years: number): object[] => [
  { $or: [{ minAgeYears: null }, { minAgeYears: mongoose.trusted({ $lte: years }) }] },
  { $or: [{ maxAgeYears: null }, { maxAgeYears: mongoose.trusted({ $gte: years }) }] },
];

function beginnings(search: string): object[] {
  const terms = searchTermsOf(search);
  if (terms.length === 0) return [{ _id: mongoose.trusted({ $in: [] }) }];
  return terms
    .map(beginningWith)
    .map(({ from, below }) => ({ searchWords: mongoose.trusted({ $elemMatch: { $gte: from, $lt: below } }) }));
}
