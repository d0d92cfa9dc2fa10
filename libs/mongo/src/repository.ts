import type { Environment, Page, Pagination } from '@swim/contracts';
import type { CursorCodec, CursorScope } from '@swim/platform';
import mongoose, { type Model, type SortOrder } from 'mongoose';
import type { EnvironmentModels } from './databases.js';
import { LookUps } from './look-ups.js';
import { readableBy, type Scope } from './tenant-guard.js';

/** A filter of our own making, over validated values; its operators are meant. */
export type Filter = Record<string, unknown>;

/** How a list is ordered: newest first by id, or ascending by a date field and then id. */
export type ListOrder = 'newest' | { ascendingBy: string };

/** What a list was asked for. */
export interface ListRequest {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

/** Which page of which list: its order, what was asked for, and what its cursors are bound to. */
export interface PageOf {
  order: ListOrder;
  asked: ListRequest;
  cursors: CursorCodec;
  bound: CursorScope;
  /** Fields that no answer of the list is made of. */
  without?: readonly string[];
}

const SAFE_COUNT = 4;
const MAX_PAGE_BYTES = 512 * 1024;
// What an aggregate keeps for its own use is in no answer, and weighs as much as the rest.
const UNLISTED = { ops: 0, outbox: 0 };

const trusted = (filter: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter).map(([key, value]) => [
      key,
      value !== null && typeof value === 'object' ? mongoose.trusted(value as object) : value,
    ]),
  );

/**
 * Base of all repositories: every query goes through a scope, so that each names the account whose documents it may
 * touch, or the reason why it needs none. Documents are plain objects.
 */
export abstract class Repository<D extends { _id: string }> {
  private readonly lookUps: Record<Environment, LookUps<D>>;

  protected constructor(
    private readonly models: EnvironmentModels<D>,
    /** Whether documents marked public are seen by every account. */
    private readonly sharesPublic = false,
  ) {
    this.lookUps = { live: new LookUps(models.live, sharesPublic), test: new LookUps(models.test, sharesPublic) };
  }

  protected model(scope: Scope): Model<D> {
    return this.models[scope.env];
  }

  /** The document with this id as it is now, or null when the scope may not see one. */
  protected lookUp(scope: Scope, id: string): Promise<D | null> {
    return this.lookUps[scope.env].find(scope, id);
  }

  /** Those of these documents that exist and the scope may see, as they are now, in the order of their ids here. */
  protected async lookUpAll(scope: Scope, ids: Iterable<string>): Promise<D[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.lookUp(scope, id)));
    return found.filter((document) => document !== null);
  }

  /** One document that matches and the scope may see, or null. */
  protected async findOne(scope: Scope, filter: Filter): Promise<D | null> {
    return (await this.model(scope).findOne(this.within(scope, filter), null, this.options(scope)).lean()) as D | null;
  }

  /** All that match and the scope may see, at most `limit`. */
  protected async findMany(
    scope: Scope,
    filter: Filter,
    sort: Record<string, SortOrder> = {},
    limit = 1_000,
  ): Promise<D[]> {
    const query = this.model(scope).find(this.within(scope, filter), null, this.options(scope));
    return (await query.sort(sort).limit(limit).lean()) as D[];
  }

  /** The same, of each only the id and these fields, or members of them (`busy.s`). */
  protected async findPicked<K extends keyof D & string>(
    scope: Scope,
    filter: Filter,
    fields: readonly (K | `${K}.${string}`)[],
    { sort = {}, limit = 1_000 }: { sort?: Record<string, SortOrder>; limit?: number } = {},
  ): Promise<Pick<D, K | '_id'>[]> {
    const picked = Object.fromEntries(fields.map((field) => [field, 1]));
    const query = this.model(scope).find(this.within(scope, filter), { ...picked, _id: 1 }, this.options(scope));
    // All in one batch: left to itself the database sends 101, and the rest when asked again.
    return (await query
      .sort(sort)
      .limit(limit)
      .batchSize(limit + 1)
      .lean()) as unknown as Pick<D, K | '_id'>[];
  }

  /** A conditional update; whether it found its document. `update` is an update document or a pipeline. */
  protected async update(scope: Scope, filter: Filter, update: object): Promise<boolean> {
    const options = { ...this.options(scope), ...(Array.isArray(update) ? { updatePipeline: true } : {}) };
    const result = await this.model(scope).updateOne(this.within(scope, filter), update, options);
    return result.matchedCount === 1;
  }

  /**
   * Sets fields only if the date in `field` has passed by the database's own clock; whether it did. Values are expressions;
   * one of them has to differ from what is stored. Without a date in `field` nothing has passed.
   * The clock is asked in the pipeline: some engines do not know `$$NOW` in the filter of an update.
   */
  protected async updateOncePast(
    scope: Scope,
    filter: Filter,
    field: string,
    set: Record<string, unknown>,
  ): Promise<boolean> {
    // Null and an absent field sort before all dates.
    const past = { $and: [{ $gt: [`$${field}`, null] }, { $lt: [`$${field}`, '$$NOW'] }] };
    const asItIs = (key: string) => ({ $cond: [{ $eq: [{ $type: `$${key}` }, 'missing'] }, '$$REMOVE', `$${key}`] });
    const conditional = Object.entries(set).map(([key, value]) => [key, { $cond: [past, value, asItIs(key)] }]);
    const options = { ...this.options(scope), updatePipeline: true };
    const update = [{ $set: Object.fromEntries(conditional) }];
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

  /** One page with its exact total (contract, Lists). */
  protected async page(
    scope: Scope,
    filter: Filter,
    { order, asked, cursors, bound, without = [] }: PageOf,
  ): Promise<Page<D>> {
    const from = asked.cursor === undefined ? {} : after(order, cursors.decode(asked.cursor, bound));
    const within = this.within(scope, filter);
    const query = this.model(scope).find(
      { $and: [within, trusted(from)], ...readers(within) },
      { ...UNLISTED, ...Object.fromEntries(without.map((field) => [field, 0])) },
      this.options(scope),
    );
    const [found, total] = await Promise.all([
      query
        .sort(sortOf(order))
        .skip(asked.offset ?? 0)
        .limit(asked.limit + 1)
        .lean() as Promise<D[]>,
      this.model(scope).countDocuments(within, this.options(scope)),
    ]);
    const items = withinPageBytes(found.slice(0, asked.limit));
    const pagination: Pagination = { has_more: found.length > items.length, next_cursor: null, total };
    if (pagination.has_more) pagination.next_cursor = cursors.encode(positionOf(order, items.at(-1)!), bound);
    return { items, pagination };
  }

  private within(scope: Scope, filter: Filter): Filter {
    return trusted({ ...filter, ...readableBy(scope, this.sharesPublic) });
  }

  private options(scope: Scope): object {
    return 'system' in scope ? { asSystem: scope.system } : {};
  }
}

const readers = (filter: Filter): Filter => ('readers' in filter ? { readers: filter.readers } : {});

/** Whether a write failed because a unique value is taken. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 11_000;

function sortOf(order: ListOrder): Record<string, SortOrder> {
  return order === 'newest' ? { _id: -1 } : { [order.ascendingBy]: 1, _id: 1 };
}

function positionOf(order: ListOrder, last: { _id: string }): string[] {
  if (order === 'newest') return [last._id];
  return [(last as unknown as Record<string, Date>)[order.ascendingBy]!.toISOString(), last._id];
}

function after(order: ListOrder, position: (string | number)[]): Filter {
  if (order === 'newest') return { _id: { $lt: position[0] } };
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
// Four items of the largest kind, bookings of 520 sessions, stay below the bound: only longer pages are measured.
export function withinPageBytes<D>(items: D[]): D[] {
  if (items.length <= SAFE_COUNT) return items;
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? items : items.slice(0, Math.max(end, 1));
}
