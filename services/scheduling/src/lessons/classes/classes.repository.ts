import { Injectable } from '@nestjs/common';
import {
  beginningWith,
  type classClosed,
  type classCreated,
  type classOpened,
  type classUpdated,
  type listClasses,
  type Page,
  type ParsedOf,
  searchTermsOf,
} from '@swim/contracts';
import {
  type AccountClock,
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
import { AppError, Clock, CursorCodec, type RequestContext, systemContext } from '@swim/platform';
import mongoose from 'mongoose';
import { dueAtOnce } from '../../calendar/places/places.repository.js';
import { type ClassPlaces, toClassObject } from './class.mapper.js';
import { type ClassDocument, type ClassWork, type ClassWorkResult, classSchema } from './class.schema.js';

/** The fields of a new class. */
export type NewClass = Omit<ClassDocument, Managed>;

const REASON = 'a class was read in its account’s scope before';
const system = asSystem(REASON);

type ClassEvent = typeof classClosed | typeof classCreated | typeof classUpdated | typeof classOpened;

/** What makes the line of a class due whose change may let in some who wait, or end the line. */
const servedAgain = ({ isAwaited, lineRev = 0 }: ClassDocument): Partial<ClassDocument> =>
  isAwaited ? { lineRev: lineRev + 1, lineDueAt: dueAtOnce() } : {};

// Longer than all else of a class, and in no answer.
const UNLISTED = ['readers', 'searchWords', 'leftOut', 'work', 'results'] as const;
const LEASE_MS = 30_000;
const RESULTS_KEPT = 10;

/** Storage of classes. */
@Injectable()
export class ClassesRepository extends AggregateRepository<ClassDocument> {
  /** Classes whose lessons are being made or changed. */
  readonly unfinished = this.work({ name: 'lessons of classes', due: 'dueAt', reason: REASON, leaseMs: LEASE_MS });

  /** Classes of which a lesson has begun since their places were counted. */
  readonly uncounted = this.work({
    name: 'places of classes',
    due: 'countDueAt',
    reason: REASON,
    now: () => this.clock.now(),
  });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
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

  findVisible({ principal }: RequestContext, id: string): Promise<ClassDocument | null> {
    return this.lookUp(principal, id);
  }

  /** Throws `resource_not_found` when the account sees no such class. */
  async getVisible(context: RequestContext, id: string): Promise<ClassDocument> {
    const found = await this.findVisible(context, id);
    if (!found) throw new AppError('resource_not_found');
    return found;
  }

  listVisible({ principal }: RequestContext, query: ParsedOf<typeof listClasses>): Promise<Page<ClassDocument>> {
    const of = { name: 'classes', filter: toFilter(query), without: UNLISTED, cursors: this.cursors };
    return this.listPage(principal, query, of);
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
      return { set: { ...set, ...servedAgain(now), version }, events, answer: toClassObject };
    });
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Begins work on the lessons of a class; the run of the request has it first. Null where `decide` says so, or none is left. */
  async begin(
    context: RequestContext,
    id: string,
    decide: (now: ClassDocument) => ClassWork | null,
  ): Promise<ClassDocument | null> {
    const begun = await this.mutate(system, id, { ...context, opId: null }, (now) => {
      const work = decide(now);
      return work && { set: { work, dueAt: this.leaseEnd() }, unseen: true };
    });
    return begun?.document.work ? begun.document : null;
  }

  /** Throws `resource_not_found`, or `school_only` for a class of another account. */
  async getOwn(context: RequestContext, id: string): Promise<ClassDocument> {
    const found = await this.getVisible(context, id);
    if (found.schoolId !== context.principal.accountId) throw new AppError('school_only');
    return found;
  }

  /** When another run takes over work that begins now. */
  leaseEnd(): Date {
    return this.databases.clock.inMs(LEASE_MS);
  }

  /** Ends the work on the lessons of a class, and stores its result. */
  async finish({ _id, schoolId }: ClassDocument, result: ClassWorkResult): Promise<void> {
    await this.mutate(system, _id, systemContext(schoolId), (now) =>
      now.work?.seed === result.seed
        ? {
            set: {
              ...{ work: undefined, dueAt: null, results: [...(now.results ?? []), result].slice(-RESULTS_KEPT) },
              // It may have added lessons.
              ...servedAgain(now),
            },
            unseen: true,
          }
        : null,
    );
  }

  /** Ends the work on the lessons of a class without a result. */
  async giveUp({ _id, schoolId, work }: ClassDocument): Promise<void> {
    await this.mutate(system, _id, systemContext(schoolId), (now) =>
      now.work?.seed === work?.seed ? { set: { work: undefined, dueAt: null }, unseen: true } : null,
    );
  }

  /** Shows a class to an account for good that has enrolled in it. */
  async show(_id: string, accountId: string): Promise<void> {
    const update = { $addToSet: { readers: accountId }, $inc: { rev: 1 } };
    await this.update(system, { _id, readers: { $ne: accountId } }, update);
  }

  /** Open classes of a school with a place in each lesson to come that fit a level, those that begin soonest first. */
  findOpen(schoolId: string, level: string, limit: number): Promise<ClassDocument[]> {
    const fits = { $or: [{ levels: mongoose.trusted({ $size: 0 }) }, { levels: level }] };
    const open = { schoolId, status: 'open', placesLeft: mongoose.trusted({ $gt: 0 }), ...fits };
    return this.findMany(system, open, { nextLessonAt: 1 }, limit);
  }

  /** Has the line of a class served, if somebody may wait in it. */
  async wakeLine(_id: string): Promise<void> {
    const lineRev = { $add: [{ $ifNull: ['$lineRev', 0] }, 1] };
    const woken = { lineRev, lineDueAt: { $ifNull: ['$lineDueAt', dueAtOnce()] }, rev: { $add: ['$rev', 1] } };
    await this.update(system, { _id, isAwaited: true }, [{ $set: woken }]);
  }

  /** Stores how many places a class has; false when it was counted meanwhile. */
  storePlaces({ _id, countRev }: ClassDocument, places: ClassPlaces, countDueAt: Date | null): Promise<boolean> {
    return this.update(system, { _id, countRev }, { $set: { ...places, countDueAt }, $inc: { countRev: 1 } });
  }

  /** Applies the clock of a test account to the classes of the school that it is. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: { schoolId: clock.accountId }, dates: ['countDueAt'] }, clock);
  }

  /** Removes a draft as it was read; false when it has changed since. */
  removeDraft(context: RequestContext, { _id, rev }: ClassDocument): Promise<boolean> {
    return this.removeForGood(system, { _id, rev, status: 'draft', work: null }, context);
  }
}

function toFilter({
  account_id,
  level,
  age_years,
  instructor_id,
  pool_id,
  weekday,
  has_places,
  search,
}: ParsedOf<typeof listClasses>): Filter {
  const conditions: object[] = [
    ...(level === undefined ? [] : [{ $or: [{ levels: mongoose.trusted({ $size: 0 }) }, { levels: level }] }]),
    ...(age_years === undefined ? [] : fittingAge(age_years)),
    ...(search === undefined ? [] : beginnings(search)),
    ...(has_places === undefined ? [] : [has_places ? WITH_PLACES : { $nor: [WITH_PLACES] }]),
  ];
  return {
    ...(account_id === undefined ? {} : { schoolId: account_id }),
    ...(instructor_id === undefined ? {} : { instructorId: instructor_id }),
    ...(pool_id === undefined ? {} : { 'location.pool_id': pool_id }),
    ...(weekday === undefined ? {} : { 'recurrence.weekdays': weekday }),
    ...(conditions.length === 0 ? {} : { $and: conditions }),
  };
}

const WITH_PLACES = { status: 'open', placesLeft: mongoose.trusted({ $gt: 0 }) };

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
