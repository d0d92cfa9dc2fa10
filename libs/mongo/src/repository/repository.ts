import type { Environment, IdPrefix, Page, Pagination } from '@swim/contracts';
import { type Deadline, lowestIdAt } from '@swim/platform';
import mongoose, { type Model, type SortOrder } from 'mongoose';
import { batchesOf } from '../batches/write-batches.js';
import { setIf } from '../commands/conditional-writes.js';
import { castStatement, type UpdateStatement } from '../commands/update-statements.js';
import type { EnvironmentModels } from '../databases/databases.js';
import { dueBy } from '../due/due-fields.js';
import { findUnlessQuiet, noteWrite } from '../due/quiet-looks.js';
import { engine } from '../engine/engine.js';
import { environmentOf, PUBLIC, readableAmongFew, readableBy, readersIn, type Scope } from '../guard/tenant-guard.js';
import { type AccountClock, applyClock, type ClockedDocuments } from '../lifecycle/account-clocks.js';
import { commonFilter } from '../lists/list-filters.js';
import {
  after,
  type ListOf,
  type ListQuery,
  type PageOf,
  positionOf,
  sortOf,
  withinPageBytes,
} from '../lists/paging.js';
import { Work, type WorkOf } from '../work/work.js';
import { type LookUps, lookUpsOf } from './look-ups.js';
import { countDocuments, type ReadOptions, readDocuments } from './reads.js';

/** A filter built by our own code from validated values; it may contain operators. */
export type Filter = Record<string, unknown>;

// An aggregate's internal fields are in no response, and as large as the rest.
const UNLISTED = { ops: 0, outbox: 0 } as const;

const slicesOf = (firstOf: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(firstOf).map(([field, $slice]) => [field, { $slice }]));

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
    this.lookUps = { live: lookUpsOf(models.live, sharesPublic), test: lookUpsOf(models.test, sharesPublic) };
  }

  protected model(scope: Scope): Model<D> {
    return this.models[environmentOf(scope)];
  }

  /** The document with this id as it is now, or null when the scope may not see it. */
  protected async lookUp(scope: Scope, id: string): Promise<D | null> {
    return this.openedOne(await this.lookUps[environmentOf(scope)].find(scope, id));
  }

  /** The documents with these ids that the scope may see, as they are now, in the given order. */
  protected async lookUpAll(scope: Scope, ids: Iterable<string>): Promise<D[]> {
    const found = await Promise.all([...new Set(ids)].map((id) => this.lookUp(scope, id)));
    return found.filter((document) => document !== null);
  }

  /** One matching document that the scope may see, or null. */
  protected async findOne(scope: Scope, filter: Filter): Promise<D | null> {
    const [found = null] = await this.read(scope, filter, { limit: 1 });
    return this.openedOne(found);
  }

  /** Whether the scope may see a matching document. */
  protected async exists(scope: Scope, filter: Filter): Promise<boolean> {
    return (await this.findFirst(scope, filter)) !== null;
  }

  /** The first matching document in this order that the scope may see, as stored; without an order any of them. Null without one. */
  protected async findFirst(scope: Scope, filter: Filter, sort: Record<string, 1 | -1> = {}): Promise<D | null> {
    const [first = null] = await this.read(scope, filter, { sort, limit: 1 });
    return first;
  }

  /** How many matching documents the scope may see. */
  protected count(scope: Scope, filter: Filter): Promise<number> {
    return countDocuments(this.model(scope), this.visible(scope, filter), this.options(scope));
  }

  /** All matching documents that the scope may see, at most `limit`. */
  protected async findMany(
    scope: Scope,
    filter: Filter,
    sort: Record<string, SortOrder> = {},
    limit = 1_000,
  ): Promise<D[]> {
    return this.opened(await this.read(scope, filter, { sort, limit }));
  }

  /** Documents whose date in a field (see `indexDue`) is over, the most overdue first, unless it is known that there are none. */
  protected async findDueBy(scope: Scope, field: keyof D & string, by: Date, limit: number): Promise<D[]> {
    const found = await this.findUnlessQuiet(scope, field, by, (soon) => this.findBy(scope, field, soon, limit));
    return found.filter((document) => (document[field] as Date) <= by);
  }

  private findBy(scope: Scope, field: keyof D & string, by: Date, limit: number): Promise<D[]> {
    return this.findMany(scope, { [field]: dueBy(by) }, { [field]: 1 }, limit);
  }

  /** Finds work of the service in this collection, unless it is known that there is none: see `findUnlessQuiet`. */
  protected findUnlessQuiet<T>(scope: Scope, work: string, by: Date, find: (soon: Date) => Promise<T[]>): Promise<T[]> {
    return findUnlessQuiet(this.model(scope), work, by, find);
  }

  /** Has sweeps look for work after a write that is not made by this class. */
  protected noteWrite(scope: Scope): void {
    noteWrite(this.model(scope));
  }

  /** The work on these documents once a date in them has passed. */
  protected work(of: WorkOf<D>): Work<D> {
    return new Work(of, {
      findDue: (scope, by, limit) =>
        of.lookMs === undefined ? this.findDueBy(scope, of.due, by, limit) : this.findBy(scope, of.due, by, limit),
      countDue: (scope, by) => this.count(scope, { [of.due]: dueBy(by) }),
      find: (scope, id) => this.lookUp(scope, id),
      update: (scope, filter, update) => this.update(scope, filter, update),
      updateIf: (scope, filter, condition, set) => this.updateIf(scope, filter, condition, set),
    });
  }

  /** As `findMany`, as stored, with only the id and these fields, or members of them (`busy.s`); `findsFew` is that of `PageOf`. */
  protected async findPicked<K extends keyof D & string>(
    scope: Scope,
    filter: Filter,
    fields: readonly (K | `${K}.${string}`)[],
    { findsFew = false, sort = {}, limit = 1_000 }: Pick<ReadOptions, 'sort' | 'limit'> & { findsFew?: boolean } = {},
  ): Promise<Pick<D, K | '_id'>[]> {
    const picked = Object.fromEntries(fields.map((field) => [field, 1 as const]));
    const within = findsFew ? this.amongFew(scope, filter) : this.visible(scope, filter);
    const options = { projection: { ...picked, _id: 1 as const }, sort, limit, batchSize: limit + 1 };
    return readDocuments(this.model(scope), within, options, this.options(scope));
  }

  private read(scope: Scope, filter: Filter, options: ReadOptions): Promise<D[]> {
    return readDocuments(this.model(scope), this.visible(scope, filter), options, this.options(scope));
  }

  /**
   * A conditional update of one document; returns whether it found it. `update` is an update document or a pipeline. With a
   * deadline it is not sent after that. Updates by id of one turn of the event loop share a command (see `UpdateBatches`).
   */
  protected async update(scope: Scope, filter: Filter, update: object, deadline?: Deadline): Promise<boolean> {
    return (await this.apply(scope, [{ filter, update }], deadline)) === 1;
  }

  /**
   * Conditional updates of one document each, in one command; returns how many found their document. They are independent: a
   * miss does not stop the rest.
   */
  protected async updateEach(scope: Scope, updates: { filter: Filter; update: object }[]): Promise<number> {
    return updates.length === 0 ? 0 : this.apply(scope, updates);
  }

  /** Sets fields to the values of these expressions only if the condition holds (`hasPassed`, `hasNotPassed`); returns whether it did. */
  protected async updateIf(
    scope: Scope,
    filter: Filter,
    condition: object,
    set: Record<string, unknown>,
  ): Promise<boolean> {
    return (await this.apply(scope, [{ filter, update: setIf(condition, set), condition }])) === 1;
  }

  private async apply(scope: Scope, updates: UpdateStatement[], deadline?: Deadline): Promise<number> {
    const model = this.model(scope);
    const statements = updates.map((each) =>
      castStatement(model, { ...each, filter: this.within(scope, each.filter) }, this.options(scope)),
    );
    return batchesOf(model)
      .updates.apply(statements, deadline)
      .finally(() => noteWrite(model));
  }

  /** Applies the clock of a test account to its documents in the sandbox; see `applyClock`. */
  protected applyClockTo(documents: ClockedDocuments, clock: AccountClock): Promise<void> {
    return applyClock(this.models.test, clock, documents).finally(() => noteWrite(this.models.test));
  }

  /** Removes the document of this id if it matches; returns whether it did. */
  protected async remove(scope: Scope, filter: Filter & { _id: string }): Promise<boolean> {
    return (await engine.removeMatching(this.model(scope), this.within(scope, filter), this.options(scope))) === 1;
  }

  /** Removes documents of all accounts whose ids were made before an instant, at most `limit`; returns how many. */
  protected async removeMadeBefore(scope: Scope, prefix: IdPrefix, instant: Date, limit: number): Promise<number> {
    const made = { _id: { $lt: lowestIdAt(prefix, instant) } };
    const old = await this.findPicked(scope, made, [], { sort: { _id: 1 }, limit });
    const these = this.within(scope, { _id: { $in: old.map(({ _id }) => _id) } });
    return old.length === 0 ? 0 : (await this.model(scope).deleteMany(these, this.options(scope))).deletedCount;
  }

  /** Stores a new document; false when one with this id (or another unique value) exists. See `InsertBatches`. */
  protected tryInsert(scope: Scope, document: D, deadline?: Deadline): Promise<boolean> {
    return this.tryInsertAll(scope, [document], deadline);
  }

  /** Stores those of the documents that do not exist; false when one exists, or another unique value is taken. */
  protected tryInsertAll(scope: Scope, documents: readonly D[], deadline?: Deadline): Promise<boolean> {
    const model = this.model(scope);
    return batchesOf(model)
      .inserts.insert(documents, deadline)
      .finally(() => noteWrite(model));
  }

  /**
   * One page of what an account may see: by the filters that lists have in common and `filter`. Its cursors continue this list
   * with the same filters of this account only.
   */
  protected listPage(
    { env, accountId }: { env: Environment; accountId: string },
    { limit, offset, cursor, ...filters }: ListQuery,
    { name, filter = {}, mayLackUpdatedAt, order = 'newest', ...more }: ListOf<D>,
  ): Promise<Page<D>> {
    const bound = { list: name, accountId, env, filters };
    const request = { limit, offset, cursor };
    const all = { ...commonFilter(filters, mayLackUpdatedAt), ...filter };
    return this.page({ env, accountId }, all, { ...more, order, request, bound });
  }

  /** One page with its exact total (contract, Lists). */
  protected async page(
    scope: Scope,
    filter: Filter,
    { order, request, cursors, bound, findsFew = false, without = [], firstOf = {}, bytesOf }: PageOf<D>,
  ): Promise<Page<D>> {
    const from = request.cursor === undefined ? {} : after(order, cursors.decode(request.cursor, bound));
    const within = findsFew ? this.amongFew(scope, filter) : this.visible(scope, filter);
    const [model, guard] = [this.model(scope), this.options(scope)];
    const options: ReadOptions = {
      projection: {
        ...UNLISTED,
        ...Object.fromEntries(without.map((field) => [field, 0 as const])),
        ...slicesOf(firstOf),
      },
      sort: sortOf(order),
      skip: request.offset ?? 0,
      limit: request.limit + 1,
    };
    const [found, total] = await Promise.all([
      readDocuments(model, { $and: [within, trusted(from)], ...readersIn(within) }, options, guard),
      countDocuments(model, within, guard),
    ]);
    const items = withinPageBytes(await this.opened(found.slice(0, request.limit)), bytesOf);
    const pagination: Pagination = { has_more: found.length > items.length, next_cursor: null, total };
    if (pagination.has_more) pagination.next_cursor = cursors.encode(positionOf(order, items.at(-1)!), bound);
    return { items, pagination };
  }

  /** Stored documents as the service reads them: overridden where texts are stored encrypted. */
  protected async opened(stored: D[]): Promise<D[]> {
    return stored;
  }

  /** The fields of a document as stored: the inverse of `opened`. */
  protected async sealed<F extends Partial<D>>(fields: F, _of: D): Promise<F> {
    return fields;
  }

  protected async openedOne(stored: D | null): Promise<D | null> {
    return stored && (await this.opened([stored]))[0]!;
  }

  private within(scope: Scope, filter: Filter): Filter {
    return trusted({ ...filter, ...readableBy(scope, this.sharesPublic) });
  }

  private amongFew(scope: Scope, filter: Filter): Filter {
    if ('system' in scope) return this.visible(scope, filter);
    const readers = [scope.accountId, ...(this.sharesPublic ? [PUBLIC] : [])];
    return trusted({ ...filter, $nor: [...((filter.$nor as object[]) ?? []), ...readableAmongFew(readers).$nor] });
  }

  // A tombstone has no readers: only a system scope needs a filter against it.
  private visible(scope: Scope, filter: Filter): Filter {
    const hides = 'system' in scope && this.models[environmentOf(scope)].schema.path('removedAt') !== undefined;
    return this.within(scope, hides ? { ...filter, removedAt: { $exists: false } } : filter);
  }

  private options(scope: Scope): object {
    return 'system' in scope ? { asSystem: scope.system } : {};
  }
}
