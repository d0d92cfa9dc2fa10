import { Injectable } from '@nestjs/common';
import type { listPools, Page, ParsedOf } from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  hasPassed,
  type ListQuery,
  type Managed,
  OutboxRelay,
  oneOf,
  PUBLIC,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import { toPool } from './pool.mapper.js';
import type { PoolFields } from './pool.rules.js';
import { type PoolDocument, poolSchema } from './pool.schema.js';

const CLOSING_MS = 5_000;

const REASON = 'a claim has read the pool in its account’s scope before';
const calendar = asSystem(REASON);

/** Storage of pools: public, owned by a school. */
/** The fields of a pool that its school changes. */
export type ChangedPool = Partial<PoolFields & Pick<PoolDocument, 'metadata'>>;

@Injectable()
export class PoolsRepository extends AggregateRepository<PoolDocument> {
  /** Pools that have more lanes, which are yet to be offered. */
  readonly widened = this.work({ name: 'offers of new lanes', due: 'widenedAt', reason: REASON });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('pools', poolSchema), relay, true);
  }

  insert(context: RequestContext, pool: Omit<PoolDocument, Managed | 'readers' | 'closing'>): Promise<PoolDocument> {
    return this.create(context, { ...pool, closing: null, readers: [PUBLIC] });
  }

  /** A pool, regardless of its readers. */
  findAny(id: string): Promise<PoolDocument | null> {
    return this.view(calendar, id);
  }

  /** Those of these pools that exist. */
  findAll(ids: Iterable<string>): Promise<PoolDocument[]> {
    return this.lookUpAll(asSystem('pools are public'), ids);
  }

  /** The pool of this account as `decide` changes it, in one write; null when the account has no such pool. */
  change(
    context: RequestContext,
    id: string,
    decide: (now: PoolDocument) => ChangedPool | null,
  ): Promise<Changed<PoolDocument> | null> {
    const { principal } = context;
    const isOwn = ({ accountId }: PoolDocument) => accountId === principal.accountId;
    const toDecision = (now: PoolDocument) => {
      const set = decide(now);
      if (!set) return null;
      const isWider = set.lanes !== undefined && lanesOf(set) > lanesOf(now);
      return { set: isWider ? { ...set, widenedAt: this.databases.clock.now() } : set, answer: toPool };
    };
    return this.mutate(principal, id, context, toDecision, isOwn);
  }

  /**
   * Closes a pool to claims before its removal. `resource_not_found` when it no longer exists, `change_in_progress` while
   * another removal of it has a lease.
   */
  async close(context: RequestContext, id: string): Promise<PoolDocument> {
    const closing = { until: this.databases.clock.inMs(CLOSING_MS) };
    const closed = await this.mutate(calendar, id, { ...context, opId: null }, (now) => {
      if (now.closing && now.closing.until > this.databases.clock.now())
        throw new AppError('change_in_progress', { retryAfterSeconds: 1 });
      return { set: { closing }, unseen: true };
    });
    if (!closed) throw new AppError('resource_not_found');
    return closed.document;
  }

  /** Opens a pool that was closed, if nothing has changed since. */
  async reopen({ _id, rev }: PoolDocument): Promise<void> {
    await this.update(calendar, { _id, rev }, { $set: { closing: null, rev: rev + 1 } });
  }

  /**
   * Reopens a pool when its removal's lease has ended by the database's clock; returns whether it did. The removal itself then
   * fails.
   */
  reopenLapsed(id: string): Promise<boolean> {
    return this.updateIf(calendar, { _id: id }, hasPassed('closing.until'), {
      closing: null,
      rev: { $add: ['$rev', 1] },
    });
  }

  /** Removes a pool that was closed; false when it has changed since. */
  removeClosed(context: RequestContext, { _id, rev }: PoolDocument): Promise<boolean> {
    return this.removeForGood(calendar, { _id, rev }, context);
  }

  /** Throws `resource_not_found`. */
  async getPublic(context: RequestContext, id: string): Promise<PoolDocument> {
    const pool = await this.view(context.principal, id);
    if (!pool) throw new AppError('resource_not_found');
    return pool;
  }

  async findOwned(context: RequestContext, id: string, accountId: string): Promise<PoolDocument | null> {
    const pool = await this.lookUp(context.principal, id);
    return pool?.accountId === accountId ? pool : null;
  }

  /** The account's own pools, newest first. */
  listOwn(context: RequestContext, query: ListQuery): Promise<Page<PoolDocument>> {
    const filter = { accountId: context.principal.accountId };
    return this.listPage(context.principal, query, { name: 'own pools', filter, cursors: this.cursors });
  }

  /** Pools of all schools, or of some, newest first. */
  listPublic(context: RequestContext, query: ParsedOf<typeof listPools>): Promise<Page<PoolDocument>> {
    const findsFew = query.account_id !== undefined;
    const filter = oneOf('accountId', query.account_id);
    return this.listPage(context.principal, query, { name: 'pools', filter, findsFew, cursors: this.cursors });
  }
}

const lanesOf = ({ lanes }: Pick<ChangedPool, 'lanes'>): number => lanes ?? Number.POSITIVE_INFINITY;
