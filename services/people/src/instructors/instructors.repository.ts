import { Injectable } from '@nestjs/common';
import { type Environment, instructorCreated, listInstructors, type Page, type SearchPlace } from '@swim/contracts';
import type { Call } from '@swim/messaging';
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
} from '@swim/mongo';
import { AppError, CursorCodec, type CursorScope } from '@swim/platform';
import mongoose from 'mongoose';
import { beginningWith, foldText, searchTermsOf } from '../name-search.rules.js';
import { boxAround, nearestKm } from './geo.rules.js';
import { instructorObjectOf } from './instructor.mapper.js';
import { type InstructorDocument, instructorSchema } from './instructor.schema.js';

const BATCH = 500;
const RATED_BY_ALL = 'the rating is made of the reviews of all accounts';

/** What reviews make of an instructor. */
export type Rated = Pick<InstructorDocument, 'rating' | 'reviews'>;

/** What a list of instructors is narrowed by. `today` (YYYY-MM-DD) is the last day on which a certification must hold. */
export interface Wanted {
  search?: string | undefined;
  certification?: string | undefined;
  place?: SearchPlace | undefined;
  today: string;
}

/** An instructor, and how far away it is where a place was asked for. */
export interface Found {
  document: InstructorDocument;
  distanceKm?: number;
}

interface Near {
  id: string;
  km: number;
}

@Injectable()
export class InstructorsRepository extends AggregateRepository<InstructorDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('instructors', instructorSchema), relay, true);
  }

  /** Stores a new instructor, with its event; `already_exists` when the school has one of that e-mail. */
  async insert(call: Call, fields: Omit<InstructorDocument, Managed | 'readers'>): Promise<InstructorDocument> {
    const created = { type: instructorCreated, object: instructorObjectOf, audience: [fields.schoolId] };
    return withEmailTaken(() => this.create(call, { ...fields, readers: [PUBLIC, fields.schoolId] }, [created]));
  }

  /** Every account sees every school's instructors. */
  async find({ principal }: Call, id: string): Promise<InstructorDocument | null> {
    return this.findOne(principal, { _id: id });
  }

  /** The caller's own only. */
  async getOwn({ principal }: Call, id: string): Promise<InstructorDocument> {
    const own = await this.findOne(principal, { _id: id, schoolId: principal.accountId });
    if (!own) throw new AppError('resource_not_found');
    return own;
  }

  /** Whether another instructor of the school has this e-mail. */
  async hasEmail(env: Environment, schoolId: string, emailKey: string, exceptId: string): Promise<boolean> {
    const scope = asSystem(env, 'the filter names the school');
    return (await this.findOne(scope, { schoolId, emailKey, _id: { $ne: exceptId } })) !== null;
  }

  /** Changes an instructor of the caller's own; `already_exists` when its new e-mail is taken in the school. */
  async change(
    call: Call,
    id: string,
    decide: (now: InstructorDocument) => Decision<InstructorDocument> | null,
  ): Promise<Changed<InstructorDocument>> {
    const own = { schoolId: call.principal.accountId };
    const changed = await withEmailTaken(() => this.mutate(call.principal, id, call, decide, own));
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** How often its rating was written; null when there is no such instructor. */
  async findRatingRev(env: Environment, id: string): Promise<number | null> {
    const [found] = await this.findPicked<'ratingRev'>(asSystem(env, RATED_BY_ALL), { _id: id }, ['ratingRev']);
    return found ? (found.ratingRev ?? 0) : null;
  }

  /** Writes rating and newest reviews if they were written `ratingRev` times so far; whether they were. */
  rate(env: Environment, id: string, ratingRev: number, rated: Rated): Promise<boolean> {
    // One that was stored before ratings were counted has no such field.
    const unchanged = { _id: id, ratingRev: ratingRev === 0 ? { $in: [0, null] } : ratingRev };
    const set = { ...rated, ratingRev: ratingRev + 1, updatedAt: new Date() };
    return this.update(asSystem(env, RATED_BY_ALL), unchanged, { $set: set });
  }

  /** Newest first; around a place, nearest first. */
  async list({ principal }: Call, wanted: Wanted, asked: ListRequest): Promise<Page<Found>> {
    const { search, certification, place } = wanted;
    const bound = {
      list: listInstructors.name,
      accountId: principal.accountId,
      env: principal.env,
      filters: { search, certification, ...place },
    };
    if (place) return this.nearest(principal, wanted, place, asked, bound);
    const page = await this.page(principal, filterOf(wanted), { order: 'newest', asked, cursors: this.cursors, bound });
    return { ...page, items: page.items.map((document) => ({ document })) };
  }

  private async nearest(
    scope: Call['principal'],
    wanted: Wanted,
    place: SearchPlace,
    asked: ListRequest,
    bound: CursorScope,
  ): Promise<Page<Found>> {
    const all = await this.allWithin(scope, filterOf(wanted), place);
    const start =
      asked.cursor === undefined ? (asked.offset ?? 0) : positionAfter(all, this.cursors.decode(asked.cursor, bound));
    const near = all.slice(start, start + asked.limit);
    const documents = new Map(
      (await this.findMany(scope, { _id: { $in: near.map(({ id }) => id) } })).map((document) => [
        document._id,
        document,
      ]),
    );
    const items = near.flatMap(({ id, km }) => {
      const document = documents.get(id);
      return document ? [{ document, distanceKm: km }] : [];
    });
    const last = near.at(-1);
    const hasMore = start + near.length < all.length;
    const next = hasMore && last ? this.cursors.encode([last.km, last.id], bound) : null;
    return { items, pagination: { has_more: hasMore, next_cursor: next, total: all.length } };
  }

  // No index sorts by distance on every engine: the box is asked for in batches, and what lies in the circle is sorted here.
  private async allWithin(scope: Call['principal'], filter: Filter, place: SearchPlace): Promise<Near[]> {
    const near: Near[] = [];
    for (let from: Filter = {}; ; ) {
      const batch = await this.findMany(scope, { ...filter, ...from }, { _id: 1 }, BATCH);
      for (const { _id: id, serviceAreas } of batch) {
        const km = nearestKm(place, serviceAreas);
        if (km !== null) near.push({ id, km });
      }
      if (batch.length < BATCH) return near.sort(byDistance);
      from = { _id: { $gt: batch.at(-1)!._id } };
    }
  }
}

const byDistance = (a: Near, b: Near): number => a.km - b.km || (a.id < b.id ? 1 : -1);

function positionAfter(all: Near[], [km, id]: (string | number)[]): number {
  const index = all.findIndex((near) => byDistance(near, { km: Number(km), id: String(id) }) > 0);
  return index === -1 ? all.length : index;
}

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

function filterOf({ search, certification, place, today }: Wanted): Filter {
  const all: Filter[] = [];
  if (search !== undefined) all.push(...beginnings(search));
  // A certification without an end never compares as less.
  if (certification !== undefined) {
    all.push({ certifications: some({ typeKey: foldText(certification), expiresAt: { $not: { $lt: today } } }) });
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
