import { Injectable } from '@nestjs/common';
import { beginningWith, foldText, listInstructors, type Page, searchTermsOf } from '@swim/contracts';
import { commonFilter, Databases, type Filter, type ListRequest, oneOf, Repository } from '@swim/mongo';
import { CursorCodec, type CursorScope, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { CommentsService } from '../../../identity/privacy/comments.service.js';
import { poolIdsOf } from '../instructor.rules.js';
import { type InstructorDocument, instructorSchema } from '../instructor.schema.js';
import { pageOfCandidates } from './candidate-page.js';
import { boxAround } from './geo.rules.js';
import { RevisionCache } from './revision-cache.js';
import {
  bySearchOrder,
  bytesOf,
  type Candidate,
  type Criteria,
  candidatesOf,
  closedAfter,
  datesAround,
  type HeldOn,
  type HourlyCandidate,
  type HoursCriteria,
  hoursOn,
  lastDayCertified,
  type Teacher,
} from './search.rules.js';

const BATCH = 1_000;
const ACTIVE = { status: 'active' } as const;
const MOST_KNOWN_BYTES = 8 * 1024 * 1024;
// An aggregate's internal fields are in no response, and as large as the rest.
const LISTED = Object.keys(instructorSchema.paths).filter(
  (path) => path !== 'ops' && path !== 'outbox',
) as (keyof InstructorDocument)[];

/** An instructor, with its distance where the search has a place. */
export interface Found {
  document: InstructorDocument;
  distanceKm?: number;
}

const FIELDS = ['schoolId', 'serviceAreas', 'timezone', 'schedule', 'certifications', 'rev'] as const;
type Field = Exclude<(typeof FIELDS)[number], 'rev'>;
/** The fields that a search filters by outside the database. */
type Searched = Pick<InstructorDocument, '_id' | Field>;
type Principal = RequestContext['principal'];
const CERTIFICATION_BYTES = 500;
const newCache = () =>
  new RevisionCache<Searched>(
    MOST_KNOWN_BYTES,
    ({ schedule, certifications }) => bytesOf(schedule) + CERTIFICATION_BYTES * certifications.length,
  );

/** Finds instructors by name, certification, place and published hours. */
@Injectable()
export class InstructorSearchRepository extends Repository<InstructorDocument> {
  private readonly known = { live: newCache(), test: newCache() };

  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
    private readonly comments: CommentsService,
  ) {
    super(databases.collection('instructors', instructorSchema), true);
  }

  protected override opened(stored: InstructorDocument[]): Promise<InstructorDocument[]> {
    return this.comments.openShownOf(stored);
  }

  /** Newest first, page by page; ignores place and time. */
  async list({ principal }: RequestContext, criteria: Criteria, request: ListRequest): Promise<Page<Found>> {
    const bound = boundOf(principal, criteria);
    const without = criteria.withReviews ? [] : ['reviews'];
    const order = { order: 'newest', request, cursors: this.cursors, bound, without } as const;
    const page = await this.page(principal, filterOf(criteria), order);
    return { ...page, items: page.items.map((document) => ({ document })) };
  }

  /** All matches, regardless of free time: nearest first around a place, newest first otherwise. */
  async findCandidates({ principal }: RequestContext, criteria: Criteria): Promise<Candidate[]> {
    const all = await this.searchAll(principal, {}, criteria);
    return all.flatMap((found) => candidatesOf(found, criteria)).sort(bySearchOrder);
  }

  /** As `findCandidates`, but only active ones that publish hours around the requested time; with these hours. */
  async findHourlyCandidates(
    { principal }: RequestContext,
    criteria: Criteria & { available: string },
  ): Promise<HourlyCandidate[]> {
    const all = await this.searchAll(principal, ACTIVE, criteria);
    const hoursOf = hoursOn(datesAround(criteria.available));
    const hourly = all.flatMap((found) => {
      const schedule = hoursOf(found.schedule);
      const { timezone, schoolId } = found;
      const poolIds = poolIdsOf(found.serviceAreas);
      const hours = schedule && { timezone, schedule, schoolId, poolIds };
      return hours ? candidatesOf(found, criteria).map((one) => ({ ...one, ...hours })) : [];
    });
    return hourly.sort(bySearchOrder);
  }

  /**
   * Active instructors that match and have hours on these dates (YYYY-MM-DD), by id; ignores free time. On dates after the
   * certification has expired, there are no hours.
   */
  async findTeachers(
    { principal }: RequestContext,
    criteria: HoursCriteria,
    dates: readonly string[],
  ): Promise<Teacher[]> {
    const hoursOf = hoursOn(dates);
    const all = await this.searchAll(principal, ACTIVE, criteria);
    const teachers = all.flatMap((found) => {
      const hours = candidatesOf(found, criteria).length > 0 ? hoursOf(found.schedule) : null;
      if (!hours) return [];
      const { _id: id, schoolId, timezone, serviceAreas, certifications } = found;
      const schedule = closedAfter(hours, lastDayCertified(certifications, criteria.certification), dates);
      return [{ id, schoolId, timezone, schedule, poolIds: poolIdsOf(serviceAreas) }];
    });
    return teachers.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The schools of all matches, regardless of place and time. */
  async findSchools({ principal }: RequestContext, criteria: HoursCriteria): Promise<string[]> {
    const matching = await this.findMatching(principal, filterOf(criteria), 'schoolId');
    return [...new Set(matching.map(({ schoolId }) => schoolId))];
  }

  /** Those of these instructors that the account can see. */
  async findVisible({ principal }: RequestContext, ids: readonly string[]): Promise<string[]> {
    return (await this.findPicked(principal, { _id: { $in: ids } }, [])).map(({ _id }) => _id);
  }

  /** One page of the results, in their order. */
  pageOf(
    { principal }: RequestContext,
    all: Candidate[],
    criteria: Criteria,
    request: ListRequest,
  ): Promise<Page<Found>> {
    const order = { request, cursors: this.cursors, bound: boundOf(principal, criteria) };
    return pageOfCandidates(all, order, (slice) => this.findListed(principal, slice, criteria));
  }

  private async findListed(scope: Principal, slice: Candidate[], { withReviews }: Criteria): Promise<Found[]> {
    const ofSlice = { _id: { $in: slice.map(({ id }) => id) } };
    const fields = withReviews ? LISTED : LISTED.filter((field) => field !== 'reviews');
    const found = await this.findPicked<keyof InstructorDocument>(scope, ofSlice, fields);
    const opened = await this.opened(found);
    const documents = new Map(opened.map((document) => [document._id, document]));
    return slice.flatMap(({ id, km }) => {
      const document = documents.get(id);
      return document ? [{ document, ...(km === null ? {} : { distanceKm: km }) }] : [];
    });
  }

  // Schedules are most of the data of a search, and seldom change: the query returns matches with their revisions.
  private async searchAll(scope: Principal, also: Filter, criteria: HoursCriteria): Promise<Searched[]> {
    const known = this.known[scope.env];
    const matching = await this.findMatching(scope, { ...also, ...filterOf(criteria) }, 'rev');
    const evaluated = new Map(matching.map(({ _id, rev }) => [_id, known.find(_id, rev)]));
    const unknown = matching.map(({ _id }) => _id).filter((id) => evaluated.get(id) === undefined);
    for (let from = 0; from < unknown.length; from += BATCH) {
      const $in = unknown.slice(from, from + BATCH);
      const read = await this.findPicked<Field | 'rev'>(scope, { _id: { $in } }, FIELDS, { limit: $in.length });
      for (const { rev, ...found } of read) {
        evaluated.set(found._id, found);
        known.keep(found._id, rev, found);
      }
    }
    return [...evaluated.values()].filter((found) => found !== undefined);
  }

  private async findMatching<K extends 'rev' | 'schoolId'>(
    scope: Principal,
    filter: Filter,
    field: K,
  ): Promise<Pick<InstructorDocument, '_id' | K>[]> {
    const all: Pick<InstructorDocument, '_id' | K>[] = [];
    for (let from: Filter = {}; ; from = { _id: { $gt: all.at(-1)!._id } }) {
      const order = { sort: { _id: 1 }, limit: BATCH } as const;
      const batch = await this.findPicked<K>(scope, { ...filter, ...from }, [field], order);
      all.push(...batch);
      if (batch.length < BATCH) return all;
    }
  }
}

const boundOf = ({ accountId, env }: Principal, criteria: Criteria): CursorScope => {
  const { accountIds, search, certification, available, place, common, withReviews } = criteria;
  const filters = { accountIds, search, certification, available, ...place, ...common, withReviews };
  return { list: listInstructors.name, accountId, env, filters };
};

const some = (element: Filter) => mongoose.trusted({ $elemMatch: element });
const between = (from: number, to: number) => ({ $gte: from, $lte: to });

function filterOf({ accountIds, search, certification, place, heldOn, common }: HoursCriteria): Filter {
  const all: Filter[] = [];
  const byCommon = commonFilter(common);
  if (Object.keys(byCommon).length > 0) all.push(byCommon);
  if (accountIds) all.push(oneOf('schoolId', accountIds));
  if (search !== undefined) all.push(...beginnings(search));
  if (certification !== undefined) all.push(certified(foldText(certification), heldOn));
  if (place) {
    const { latitude, longitudes } = boxAround(place);
    const areas = longitudes.map((range) => ({
      serviceAreas: some({ latitude: between(...latitude), longitude: between(...range) }),
    }));
    all.push({ $or: areas });
  }
  return all.length ? { $and: all } : {};
}

function certified(typeKey: string, { day, later }: HeldOn): Filter {
  // A certification without an end never compares as less.
  const until = (end: string): Filter => ({ certifications: some({ typeKey, expiresAt: { $not: { $lt: end } } }) });
  if (later.length === 0) return until(day);
  const ahead = later.flatMap(({ schoolIds }) => schoolIds);
  const ofOthers = { schoolId: mongoose.trusted({ $nin: ahead }), ...until(day) };
  return {
    $or: [ofOthers, ...later.map((one) => ({ schoolId: mongoose.trusted({ $in: one.schoolIds }), ...until(one.day) }))],
  };
}

function beginnings(search: string): Filter[] {
  const terms = searchTermsOf(search);
  if (terms.length === 0) return [{ _id: mongoose.trusted({ $in: [] }) }];
  return terms.map(beginningWith).map(({ from, below }) => ({ searchWords: some({ $gte: from, $lt: below }) }));
}
