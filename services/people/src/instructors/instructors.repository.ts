import { Injectable } from '@nestjs/common';
import { type Environment, instructorCreated, listInstructors, listOwnInstructors, type Page } from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type Filter,
  isDuplicate,
  type ListRequest,
  type Managed,
  OutboxRelay,
  PUBLIC,
  withinPageBytes,
} from '@swim/mongo';
import { AppError, CursorCodec, type CursorScope, type RequestContext, sharedClock } from '@swim/platform';
import mongoose from 'mongoose';
import { beginningWith, foldText, searchTermsOf } from '../name-search.rules.js';
import { CommentsService, type StoredReview } from '../privacy/comments.service.js';
import { boxAround } from './geo.rules.js';
import { instructorObjectOf } from './instructor.mapper.js';
import { NO_TEACHER } from './instructor.rules.js';
import { type InstructorDocument, instructorSchema } from './instructor.schema.js';
import { RevisionCache } from './revision-cache.js';
import {
  bySearchOrder,
  bytesOf,
  type Candidate,
  type Criteria,
  candidatesOf,
  type HourlyCandidate,
  hoursAround,
  indexAfter,
  positionOf,
} from './search.rules.js';

const BATCH = 1_000;
const MOST_KNOWN_BYTES = 8 * 1024 * 1024;
// An aggregate's internal fields are in no response, and as large as the rest.
const LISTED = Object.keys(instructorSchema.paths).filter(
  (path) => path !== 'ops' && path !== 'outbox',
) as (keyof InstructorDocument)[];
const RATED_BY_ALL = 'the rating is made of the reviews of all accounts';
const ERASURE = 'an erasure reaches all instructors of the school';
// An erased instructor has no readers.
const SEEN = { 'readers.0': { $exists: true } } as const;

/** The fields of an instructor that depend on its reviews. */
export type Rated = Pick<InstructorDocument, 'rating'> & { reviews: StoredReview[] };

/** An instructor, with its distance where the search has a place. */
export interface Found {
  document: InstructorDocument;
  distanceKm?: number;
}

const FIELDS = ['serviceAreas', 'timezone', 'schedule', 'rev'] as const;
type Field = 'serviceAreas' | 'timezone' | 'schedule';
/** The fields that a search filters by outside the database. */
type Searched = Pick<InstructorDocument, '_id' | Field>;
type Principal = RequestContext['principal'];
const newCache = () => new RevisionCache<Searched>(MOST_KNOWN_BYTES, ({ schedule }) => bytesOf(schedule));

@Injectable()
export class InstructorsRepository extends AggregateRepository<InstructorDocument> {
  private readonly known = { live: newCache(), test: newCache() };

  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
    private readonly comments: CommentsService,
  ) {
    super(databases.collection('instructors', instructorSchema), relay, true);
  }

  protected override opened(env: Environment, stored: InstructorDocument[]): Promise<InstructorDocument[]> {
    return Promise.all(
      stored.map(async (document) => {
        const { reviews = [] } = document;
        return {
          ...document,
          reviews: await Promise.all(reviews.map((review) => this.comments.openShown(env, review))),
        };
      }),
    );
  }

  /** Stores a new instructor with its event; `already_exists` when the school has one with that e-mail. */
  async insert(
    context: RequestContext,
    fields: Omit<InstructorDocument, Managed | 'readers'>,
  ): Promise<InstructorDocument> {
    const created = { type: instructorCreated, object: instructorObjectOf, audience: [fields.schoolId] };
    return withEmailTaken(() => this.create(context, { ...fields, readers: [PUBLIC, fields.schoolId] }, [created]));
  }

  /** Every account may read every school's instructors. */
  async find({ principal }: RequestContext, id: string): Promise<InstructorDocument | null> {
    return this.lookUp(principal, id);
  }

  /** One of the requesting account's instructors. */
  async getOwn({ principal }: RequestContext, id: string): Promise<InstructorDocument> {
    const own = await this.findOne(principal, { _id: id, schoolId: principal.accountId });
    if (!own) throw new AppError('resource_not_found');
    return own;
  }

  /** Whether another instructor of the school has this e-mail. */
  async hasEmail(env: Environment, schoolId: string, emailKey: string, exceptId: string): Promise<boolean> {
    const scope = asSystem(env, 'the filter names the school');
    return (await this.findOne(scope, { schoolId, emailKey, _id: { $ne: exceptId } })) !== null;
  }

  /** Changes an instructor of the requesting account; `already_exists` when its new e-mail is taken in the school. */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: InstructorDocument) => Decision<InstructorDocument> | null,
  ): Promise<Changed<InstructorDocument>> {
    const own = { schoolId: context.principal.accountId };
    const changed = await withEmailTaken(() => this.mutate(context.principal, id, context, decide, own));
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Ids of a school's instructors: of all, or of those that are not emptied yet. */
  async findIdsOfSchool(env: Environment, schoolId: string, which: 'all' | 'left'): Promise<string[]> {
    const of = which === 'all' ? { schoolId } : { schoolId, name: { $ne: NO_TEACHER.name } };
    return (await this.findPicked(asSystem(env, ERASURE), of, [])).map(({ _id }) => _id);
  }

  /** Removes all personal data of an instructor, which has no readers from then on. */
  async erase(context: RequestContext, id: string): Promise<void> {
    // The e-mail must stay unique in the school; the id is unique.
    const set = { ...NO_TEACHER, emailKey: id, readers: [] };
    const gone = () => ({ set, unseen: true, forgetsAnswers: true });
    await this.mutate(asSystem(context.principal.env, ERASURE), id, { ...context, opId: null }, gone);
  }

  /** The revision of the rating; null when there is no such instructor, or its school is erased. */
  async findRatingRev(env: Environment, id: string): Promise<number | null> {
    const rated = { _id: id, ...SEEN };
    const [found] = await this.findPicked<'ratingRev'>(asSystem(env, RATED_BY_ALL), rated, ['ratingRev']);
    return found ? (found.ratingRev ?? 0) : null;
  }

  /** Writes rating and reviews if the rating's revision is `ratingRev` and the instructor not erased; returns whether it did. */
  rate(env: Environment, id: string, ratingRev: number, rated: Rated): Promise<boolean> {
    // Documents from before ratings were counted lack the field.
    const unchanged = { _id: id, ...SEEN, ratingRev: ratingRev === 0 ? { $in: [0, null] } : ratingRev };
    const set = { ...rated, ratingRev: ratingRev + 1, updatedAt: sharedClock.now() };
    return this.update(asSystem(env, RATED_BY_ALL), unchanged, { $set: set });
  }

  /** The requesting account's instructors, newest first. */
  listOwn({ principal }: RequestContext, request: ListRequest): Promise<Page<InstructorDocument>> {
    const { accountId, env } = principal;
    const bound = { list: listOwnInstructors.name, accountId, env, filters: {} };
    const order = { order: 'newest', request, cursors: this.cursors, bound } as const;
    return this.page(principal, { schoolId: accountId }, order);
  }

  /** Newest first, page by page; ignores place and time. */
  async list({ principal }: RequestContext, criteria: Criteria, request: ListRequest): Promise<Page<Found>> {
    const bound = boundOf(principal, criteria);
    const order = { order: 'newest', request, cursors: this.cursors, bound } as const;
    const page = await this.page(principal, filterOf(criteria), order);
    return { ...page, items: page.items.map((document) => ({ document })) };
  }

  /** All matches, regardless of free time: nearest first around a place, newest first otherwise. */
  async findCandidates({ principal }: RequestContext, criteria: Criteria): Promise<Candidate[]> {
    const all = await this.searchAll(principal, criteria);
    return all.flatMap((found) => candidatesOf(found, criteria)).sort(bySearchOrder);
  }

  /** As `findCandidates`, but only active ones that publish hours around the requested time; with these hours. */
  async findHourlyCandidates(
    { principal }: RequestContext,
    criteria: Criteria & { available: string },
  ): Promise<HourlyCandidate[]> {
    const all = await this.searchAll(principal, criteria);
    const hoursOf = hoursAround(criteria.available);
    const hourly = all.flatMap((found) => {
      const schedule = hoursOf(found.schedule);
      const { timezone } = found;
      return schedule ? candidatesOf(found, criteria).map((one) => ({ ...one, timezone, schedule })) : [];
    });
    return hourly.sort(bySearchOrder);
  }

  /** One page of the results, in their order. */
  async pageOf(
    { principal }: RequestContext,
    all: Candidate[],
    criteria: Criteria,
    request: ListRequest,
  ): Promise<Page<Found>> {
    const bound = boundOf(principal, criteria);
    const start = request.cursor === undefined ? (request.offset ?? 0) : this.startOf(all, request.cursor, bound);
    const slice = all.slice(start, start + request.limit);
    const found = await this.findPicked<keyof InstructorDocument>(
      principal,
      { _id: { $in: slice.map(({ id }) => id) } },
      LISTED,
    );
    const opened = await this.opened(principal.env, found);
    const documents = new Map(opened.map((document) => [document._id, document]));
    const whole = slice.flatMap(({ id, km }) => {
      const document = documents.get(id);
      return document ? [{ document, ...(km === null ? {} : { distanceKm: km }) }] : [];
    });
    const items = withinPageBytes(whole);
    const end = start + (items.length < whole.length ? items.length : slice.length);
    const has_more = end < all.length && items.length > 0;
    const next_cursor = has_more ? this.cursors.encode(positionOf(all[end - 1]!), bound) : null;
    return { items, pagination: { has_more, next_cursor, total: all.length } };
  }

  /** Removes the stored answers of changes: a former release stored them with the comments of reviews. */
  async forgetAnswers(env: Environment, id: string): Promise<void> {
    await this.update(asSystem(env, RATED_BY_ALL), { _id: id }, { $set: { ops: [] } });
  }

  private startOf(all: Candidate[], cursor: string, bound: CursorScope): number {
    const [km, id] = this.cursors.decode(cursor, bound);
    return indexAfter(all, { id: String(id), km: Number(km) });
  }

  // Schedules are most of the data of a search, and seldom change: the query returns matches with their revisions.
  private async searchAll(scope: Principal, criteria: Criteria): Promise<Searched[]> {
    const known = this.known[scope.env];
    const matching = await this.findMatching(scope, filterOf(criteria));
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

  private async findMatching(scope: Principal, filter: Filter): Promise<Pick<InstructorDocument, '_id' | 'rev'>[]> {
    const all: Pick<InstructorDocument, '_id' | 'rev'>[] = [];
    for (let from: Filter = {}; ; from = { _id: { $gt: all.at(-1)!._id } }) {
      const order = { sort: { _id: 1 }, limit: BATCH } as const;
      const batch = await this.findPicked<'rev'>(scope, { ...filter, ...from }, ['rev'], order);
      all.push(...batch);
      if (batch.length < BATCH) return all;
    }
  }
}

const boundOf = ({ accountId, env }: Principal, criteria: Criteria): CursorScope => {
  const { search, certification, available, place } = criteria;
  return { list: listInstructors.name, accountId, env, filters: { search, certification, available, ...place } };
};

async function withEmailTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const taken = isDuplicate(error) || (error instanceof AppError && error.reason === 'already_exists');
    throw taken ? new AppError('already_exists', { field: 'email' }) : error;
  }
}

const some = (element: Filter) => mongoose.trusted({ $elemMatch: element });
const between = (from: number, to: number) => ({ $gte: from, $lte: to });

function filterOf({ search, certification, place, available, heldOn }: Criteria): Filter {
  const all: Filter[] = available === undefined ? [] : [{ status: 'active' }];
  if (search !== undefined) all.push(...beginnings(search));
  // A certification without an end never compares as less.
  if (certification !== undefined) {
    all.push({ certifications: some({ typeKey: foldText(certification), expiresAt: { $not: { $lt: heldOn } } }) });
  }
  if (place) {
    const { latitude, longitudes } = boxAround(place);
    const areas = longitudes.map((range) => ({
      serviceAreas: some({ latitude: between(...latitude), longitude: between(...range) }),
    }));
    all.push({ $or: areas });
  }
  return all.length ? { $and: all } : {};
}

function beginnings(search: string): Filter[] {
  const terms = searchTermsOf(search);
  if (terms.length === 0) return [{ _id: mongoose.trusted({ $in: [] }) }];
  return terms.map(beginningWith).map(({ from, below }) => ({ searchWords: some({ $gte: from, $lt: below }) }));
}
