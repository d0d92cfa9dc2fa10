import { Injectable } from '@nestjs/common';
import { type Environment, instructorCreated, listInstructors, type Page } from '@swim/contracts';
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
  withinPageBytes,
} from '@swim/mongo';
import { AppError, CursorCodec, type CursorScope } from '@swim/platform';
import mongoose from 'mongoose';
import { beginningWith, foldText, searchTermsOf } from '../name-search.rules.js';
import { boxAround, nearestKm } from './geo.rules.js';
import { instructorObjectOf } from './instructor.mapper.js';
import { type InstructorDocument, instructorSchema } from './instructor.schema.js';
import { RevisionCache } from './revision-cache.js';
import {
  bySearchOrder,
  bytesOf,
  type Candidate,
  type HourlyCandidate,
  hoursAround,
  indexAfter,
  type Wanted,
} from './search.rules.js';

const BATCH = 1_000;
const MOST_KNOWN_BYTES = 8 * 1024 * 1024;
// What an aggregate keeps for its own use is in no answer, and weighs as much as the rest.
const LISTED = Object.keys(instructorSchema.paths).filter(
  (path) => path !== 'ops' && path !== 'outbox',
) as (keyof InstructorDocument)[];
const RATED_BY_ALL = 'the rating is made of the reviews of all accounts';

/** What reviews make of an instructor. */
export type Rated = Pick<InstructorDocument, 'rating' | 'reviews'>;

/** An instructor, and how far away it is where a place was asked for. */
export interface Found {
  document: InstructorDocument;
  distanceKm?: number;
}

const JUDGED = ['serviceAreas', 'timezone', 'schedule', 'rev'] as const;
type Judged = 'serviceAreas' | 'timezone' | 'schedule';
/** What a search judges an instructor by beside what the database has judged. */
type Searched = Pick<InstructorDocument, '_id' | Judged>;
const newCache = () => new RevisionCache<Searched>(MOST_KNOWN_BYTES, ({ schedule }) => bytesOf(schedule));

@Injectable()
export class InstructorsRepository extends AggregateRepository<InstructorDocument> {
  private readonly known = { live: newCache(), test: newCache() };

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
    return this.lookUp(principal, id);
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

  /** Newest first, page by page; neither place nor time are looked at. */
  async list({ principal }: Call, wanted: Wanted, asked: ListRequest): Promise<Page<Found>> {
    const bound = boundOf(principal, wanted);
    const page = await this.page(principal, filterOf(wanted), { order: 'newest', asked, cursors: this.cursors, bound });
    return { ...page, items: page.items.map((document) => ({ document })) };
  }

  /** All that match, whenever they may be free: nearest first around a place, newest first otherwise. */
  async findCandidates({ principal }: Call, wanted: Wanted): Promise<Candidate[]> {
    const all = await this.searchAll(principal, wanted);
    return all.flatMap((found) => candidatesOf(found, wanted)).sort(bySearchOrder);
  }

  /** The same, but only those who are active and publish hours around the time wanted; with these hours. */
  async findHourlyCandidates({ principal }: Call, wanted: Wanted & { available: string }): Promise<HourlyCandidate[]> {
    const all = await this.searchAll(principal, wanted);
    const hoursOf = hoursAround(wanted.available);
    const hourly = all.flatMap((found) => {
      const schedule = hoursOf(found.schedule);
      const { timezone } = found;
      return schedule ? candidatesOf(found, wanted).map((one) => ({ ...one, timezone, schedule })) : [];
    });
    return hourly.sort(bySearchOrder);
  }

  /** One page of all that were found, in their order. */
  async pageOf({ principal }: Call, all: Candidate[], wanted: Wanted, asked: ListRequest): Promise<Page<Found>> {
    const bound = boundOf(principal, wanted);
    const start = asked.cursor === undefined ? (asked.offset ?? 0) : this.startOf(all, asked.cursor, bound);
    const slice = all.slice(start, start + asked.limit);
    const found = await this.findPicked<keyof InstructorDocument>(
      principal,
      { _id: { $in: slice.map(({ id }) => id) } },
      LISTED,
    );
    const documents = new Map(found.map((document) => [document._id, document]));
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

  private startOf(all: Candidate[], cursor: string, bound: CursorScope): number {
    const [km, id] = this.cursors.decode(cursor, bound);
    return indexAfter(all, { id: String(id), km: Number(km) });
  }

  // Schedules are the bulk of what a search reads, and seldom change: the database tells who matches, and at which revision.
  private async searchAll(scope: Call['principal'], wanted: Wanted): Promise<Searched[]> {
    const known = this.known[scope.env];
    const matching = await this.findMatching(scope, filterOf(wanted));
    const judged = new Map(matching.map(({ _id, rev }) => [_id, known.find(_id, rev)]));
    const unknown = matching.map(({ _id }) => _id).filter((id) => judged.get(id) === undefined);
    for (let from = 0; from < unknown.length; from += BATCH) {
      const $in = unknown.slice(from, from + BATCH);
      const read = await this.findPicked<Judged | 'rev'>(scope, { _id: { $in } }, JUDGED, { limit: $in.length });
      for (const { rev, ...found } of read) {
        judged.set(found._id, found);
        known.keep(found._id, rev, found);
      }
    }
    return [...judged.values()].filter((found) => found !== undefined);
  }

  private async findMatching(
    scope: Call['principal'],
    filter: Filter,
  ): Promise<Pick<InstructorDocument, '_id' | 'rev'>[]> {
    const all: Pick<InstructorDocument, '_id' | 'rev'>[] = [];
    for (let from: Filter = {}; ; from = { _id: { $gt: all.at(-1)!._id } }) {
      const order = { sort: { _id: 1 }, limit: BATCH } as const;
      const batch = await this.findPicked<'rev'>(scope, { ...filter, ...from }, ['rev'], order);
      all.push(...batch);
      if (batch.length < BATCH) return all;
    }
  }
}

/** None where the place is too far; no index measures distances on every engine, so that the filter has only a box. */
function candidatesOf({ _id: id, serviceAreas }: Searched, { place }: Wanted): Candidate[] {
  if (!place) return [{ id, km: null }];
  const km = nearestKm(place, serviceAreas);
  return km === null ? [] : [{ id, km }];
}

const positionOf = ({ km, id }: Candidate): (string | number)[] => [km ?? 0, id];

const boundOf = ({ accountId, env }: Call['principal'], wanted: Wanted): CursorScope => {
  const { search, certification, available, place } = wanted;
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

function filterOf({ search, certification, place, available, heldOn }: Wanted): Filter {
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
