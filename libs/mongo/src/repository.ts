import type { Environment, Page, Pagination } from '@swim/contracts';
import type { CursorCodec, CursorScope } from '@swim/platform';
import mongoose, { type Model, type SortOrder } from 'mongoose';
import { indexOfFailure, isDuplicate, notPast, oncePast } from './conditional-writes.js';
import type { EnvironmentModels } from './databases.js';
import { LookUps } from './look-ups.js';
import { readableBy, type Scope } from './tenant-guard.js';

/** A filter built by our own code from validated values; it may contain operators. */
export type Filter = Record<string, unknown>;

/** How a list is ordered: newest first by id, ascending by a date field and then id, or by a number that is unique in it. */
export type ListOrder = 'newest' | { ascendingBy: string } | { uniqueNumber: string; ascending: boolean };

/** The request for a page. */
export interface ListRequest {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

/** The page of a list: its order, the request, and the scope of its cursors. */
export interface PageOf<D = never> {
  order: ListOrder;
  request: ListRequest;
  cursors: CursorCodec;
  bound: CursorScope;
  /** Fields that the list omits. */
  without?: readonly string[];
  /** The bytes of an item in the response; by default those of its JSON. */
  bytesOf?: (item: D) => number;
}

const SAFE_COUNT = 4;
const MAX_PAGE_BYTES = 512 * 1024;
// An aggregate's internal fields are in no response, and as large as the rest.
const UNLISTED = { ops: 0, outbox: 0 };

const trusted = (filter: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter).map(([key, value]) => [
      key,
      value !== null && typeof value === 'object' ? mongoose.trusted(value as object) : value,
    ]),
  );

/**
 * Base of all repositories: every query has a scope, which names either the account whose documents it may access, or the
 * reason why it needs none. Documents are plain objects.
 */
export abstract class Repository<D extends { _id: string }> {
  private readonly lookUps: Record<Environment, LookUps<D>>;

  protected constructor(
    private readonly models: EnvironmentModels<D>,
    /** Whether every account sees public documents. */
    private readonly sharesPublic = false,
  ) {
    this.lookUps = { live: new LookUps(models.live, sharesPublic), test: new LookUps(models.test, sharesPublic) };
  }

  protected model(scope: Scope): Model<D> {
    return this.models[scope.env];
  }

  /** The document with this id as it is now, or null when the scope may not see it. */
  protected async lookUp(scope: Scope, id: string): Promise<D | null> {
    return this.openedOne(scope, await this.lookUps[scope.env].find(scope, id));
  }

  /** The documents with these ids that the scope may see, as they are now, in the given order. */
  protected async lookUpAll(scope: Scope, ids: Iterable<string>): Promise<D[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.lookUp(scope, id)));
    return found.filter((document) => document !== null);
  }

  /** One matching document that the scope may see, or null. */
  protected async findOne(scope: Scope, filter: Filter): Promise<D | null> {
    const query = this.model(scope).findOne(this.visible(scope, filter), null, this.options(scope));
    return this.openedOne(scope, (await query.lean()) as D | null);
  }

  /** All matching documents that the scope may see, at most `limit`. */
  protected async findMany(
    scope: Scope,
    filter: Filter,
    sort: Record<string, SortOrder> = {},
    limit = 1_000,
  ): Promise<D[]> {
    const query = this.model(scope).find(this.visible(scope, filter), null, this.options(scope));
    return this.opened(scope.env, (await query.sort(sort).limit(limit).lean()) as D[]);
  }

  /** As `findMany`, as stored, with only the id and these fields, or members of them (`busy.s`). */
  protected async findPicked<K extends keyof D & string>(
    scope: Scope,
    filter: Filter,
    fields: readonly (K | `${K}.${string}`)[],
    { sort = {}, limit = 1_000 }: { sort?: Record<string, SortOrder>; limit?: number } = {},
  ): Promise<Pick<D, K | '_id'>[]> {
    const picked = Object.fromEntries(fields.map((field) => [field, 1]));
    const query = this.model(scope).find(this.visible(scope, filter), { ...picked, _id: 1 }, this.options(scope));
    // All in one batch: by default the database sends 101, and the rest on request.
    return (await query
      .sort(sort)
      .limit(limit)
      .batchSize(limit + 1)
      .lean()) as unknown as Pick<D, K | '_id'>[];
  }

  /** A conditional update; returns whether it found its document. `update` is an update document or a pipeline. */
  protected async update(scope: Scope, filter: Filter, update: object): Promise<boolean> {
    const options = { ...this.options(scope), ...(Array.isArray(update) ? { updatePipeline: true } : {}) };
    const result = await this.model(scope).updateOne(this.within(scope, filter), update, options);
    return result.matchedCount === 1;
  }

  /**
   * Conditional updates of one document each, in one command; returns how many found their document. They are applied in
   * order, and a miss does not stop the rest.
   */
  protected async updateEach(scope: Scope, updates: { filter: Filter; update: object }[]): Promise<number> {
    if (updates.length === 0) return 0;
    const operations = updates.map(({ filter, update }) => ({
      updateOne: {
        filter: this.within(scope, filter),
        update,
        ...(Array.isArray(update) ? { updatePipeline: true } : {}),
      },
    }));
    const options = { ...this.options(scope), ordered: false };
    return (await this.model(scope).bulkWrite(operations as never, options)).matchedCount;
  }

  /** Sets fields only if the date in `field` has passed by the database's clock (see `oncePast`); returns whether it did. */
  protected updateOncePast(
    scope: Scope,
    filter: Filter,
    field: string,
    set: Record<string, unknown>,
  ): Promise<boolean> {
    return this.updateIf(scope, filter, oncePast(field, set));
  }

  /** Sets fields only if this instant has not passed by the database's clock (see `notPast`); returns whether it did. */
  protected updateUntil(scope: Scope, filter: Filter, until: Date, set: Record<string, unknown>): Promise<boolean> {
    return this.updateIf(scope, filter, notPast(until, set));
  }

  private async updateIf(scope: Scope, filter: Filter, update: object[]): Promise<boolean> {
    const options = { ...this.options(scope), updatePipeline: true };
    return (await this.model(scope).updateOne(this.within(scope, filter), update, options)).modifiedCount === 1;
  }

  protected async remove(scope: Scope, filter: Filter): Promise<boolean> {
    const result = await this.model(scope).deleteOne(this.within(scope, filter), this.options(scope));
    return result.deletedCount === 1;
  }

  /** Stores a new document; false when one with this id (or another unique value) exists. */
  protected async tryInsert(scope: Scope, document: D): Promise<boolean> {
    try {
      await this.model(scope).insertMany([document], { lean: true });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  /** Stores new documents in order, up to the first whose unique value is taken; returns how many it stored. */
  protected async insertUpToDuplicate(scope: Scope, documents: D[]): Promise<number> {
    try {
      await this.model(scope).insertMany(documents, { lean: true });
      return documents.length;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return indexOfFailure(error);
    }
  }

  /** One page with its exact total (contract, Lists). */
  protected async page(
    scope: Scope,
    filter: Filter,
    { order, request, cursors, bound, without = [], bytesOf }: PageOf<D>,
  ): Promise<Page<D>> {
    const from = request.cursor === undefined ? {} : after(order, cursors.decode(request.cursor, bound));
    const within = this.visible(scope, filter);
    const query = this.model(scope).find(
      { $and: [within, trusted(from)], ...readers(within) },
      { ...UNLISTED, ...Object.fromEntries(without.map((field) => [field, 0])) },
      this.options(scope),
    );
    const [found, total] = await Promise.all([
      query
        .sort(sortOf(order))
        .skip(request.offset ?? 0)
        .limit(request.limit + 1)
        .lean() as Promise<D[]>,
      this.model(scope).countDocuments(within, this.options(scope)),
    ]);
    const items = withinPageBytes(await this.opened(scope.env, found.slice(0, request.limit)), bytesOf);
    const pagination: Pagination = { has_more: found.length > items.length, next_cursor: null, total };
    if (pagination.has_more) pagination.next_cursor = cursors.encode(positionOf(order, items.at(-1)!), bound);
    return { items, pagination };
  }

  /** Stored documents as the service reads them: overridden where texts are stored encrypted. */
  protected async opened(_env: Environment, stored: D[]): Promise<D[]> {
    return stored;
  }

  /** The fields of a document as stored: the inverse of `opened`. */
  protected async sealed<F extends Partial<D>>(_env: Environment, fields: F, _of: D): Promise<F> {
    return fields;
  }

  protected async openedOne(scope: Scope, stored: D | null): Promise<D | null> {
    return stored && (await this.opened(scope.env, [stored]))[0]!;
  }

  private within(scope: Scope, filter: Filter): Filter {
    return trusted({ ...filter, ...readableBy(scope, this.sharesPublic) });
  }

  // A tombstone has no readers: only a system scope needs a filter against it.
  private visible(scope: Scope, filter: Filter): Filter {
    const hides = 'system' in scope && this.models[scope.env].schema.path('removedAt') !== undefined;
    return this.within(scope, hides ? { ...filter, removedAt: { $exists: false } } : filter);
  }

  private options(scope: Scope): object {
    return 'system' in scope ? { asSystem: scope.system } : {};
  }
}

const readers = (filter: Filter): Filter => ('readers' in filter ? { readers: filter.readers } : {});

function sortOf(order: ListOrder): Record<string, SortOrder> {
  if (order === 'newest') return { _id: -1 };
  if ('uniqueNumber' in order) return { [order.uniqueNumber]: order.ascending ? 1 : -1 };
  return { [order.ascendingBy]: 1, _id: 1 };
}

function positionOf(order: ListOrder, last: { _id: string }): (string | number)[] {
  if (order === 'newest') return [last._id];
  const fields = last as unknown as Record<string, never>;
  if ('uniqueNumber' in order) return [fields[order.uniqueNumber]!];
  return [(fields[order.ascendingBy]! as Date).toISOString(), last._id];
}

function after(order: ListOrder, position: (string | number)[]): Filter {
  if (order === 'newest') return { _id: { $lt: position[0] } };
  if ('uniqueNumber' in order)
    return { [order.uniqueNumber]: { [order.ascending ? '$gt' : '$lt']: Number(position[0]) } };
  const value = new Date(position[0]!);
  const field = order.ascendingBy;
  return {
    $or: [
      { [field]: mongoose.trusted({ $gt: value }) },
      { [field]: value, _id: mongoose.trusted({ $gt: position[1] }) },
    ],
  };
}

/** The items of a page up to the bound in bytes, at least one (contract, Lists: a page may end early). */
// Where no sizes are given, four items of the largest kind, bookings of 520 sessions, stay below the bound: only longer pages
// are measured.
export function withinPageBytes<D>(items: D[], givenBytesOf?: (item: D) => number): D[] {
  if (!givenBytesOf && items.length <= SAFE_COUNT) return items;
  const bytesOf = givenBytesOf ?? bytesOfJson;
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? items : items.slice(0, Math.max(end, 1));
}

const bytesOfJson = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));
