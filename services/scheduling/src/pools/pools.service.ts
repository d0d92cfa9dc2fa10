import { Injectable } from '@nestjs/common';
import {
  createPool,
  getPool,
  listOwnPools,
  listPools,
  type Page,
  type ParsedOf,
  type Pool,
  type PoolChanges,
  updatePool,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { metadataChange, storedMetadata } from '@swim/mongo';
import { AppError, type RequestContext, timeOfId } from '@swim/platform';
import { toPool } from './pool.mapper.js';
import { type CountedPool, defaultPoolOf, differences, type PoolsOfInstructor, UNCOUNTED_LANES } from './pool.rules.js';
import type { PoolDocument } from './pool.schema.js';
import { type ChangedPool, PoolsRepository } from './pools.repository.js';

export type { PoolDocument };

/** The fields that a patch changes; null when it changes none. */
function changed(pool: PoolDocument, { metadata, ...fields }: PoolChanges): ChangedPool | null {
  const set = { ...differences(pool, fields), ...metadataChange(pool.metadata, metadata) };
  return Object.keys(set).length === 0 ? null : set;
}

/** Use cases of pools. */
@Injectable()
export class PoolsService {
  constructor(private readonly pools: PoolsRepository) {}

  @Serve(createPool)
  async create(input: ParsedOf<typeof createPool>, context: RequestContext): Promise<Pool> {
    const { accountId, kind } = context.principal;
    if (kind !== 'school') throw new AppError('school_only');
    const { metadata, lanes = null, ...fields } = input;
    const stored = metadata ? { metadata: storedMetadata(metadata) } : {};
    const pool = { ...fields, ...stored, _id: context.newId('pool'), accountId, lanes };
    const createdAt = timeOfId(pool._id);
    if (context.dryRun) return toPool({ ...pool, createdAt, updatedAt: createdAt } as PoolDocument);
    return toPool(await this.pools.insert(context, pool));
  }

  @Serve(getPool)
  async get({ pool_id: id }: ParsedOf<typeof getPool>, context: RequestContext): Promise<Pool> {
    return toPool(await this.pools.getPublic(context, id));
  }

  @Serve(listPools)
  async list(request: ParsedOf<typeof listPools>, context: RequestContext): Promise<Page<Pool>> {
    const { items, pagination } = await this.pools.listPublic(context, request);
    return { items: items.map(toPool), pagination };
  }

  /** The account's own pools; rejects other account ids. */
  @Serve(listOwnPools)
  async listOwn(
    { account_id, ...request }: ParsedOf<typeof listOwnPools>,
    context: RequestContext,
  ): Promise<Page<Pool>> {
    if (account_id !== context.principal.accountId) throw new AppError('foreign_account', { field: 'account_id' });
    const { items, pagination } = await this.pools.listOwn(context, request);
    return { items: items.map(toPool), pagination };
  }

  /** Changes a pool of the school. A new number of lanes applies from the next claim on; existing claims stay. */
  @Serve(updatePool)
  async update({ pool_id, changes }: ParsedOf<typeof updatePool>, context: RequestContext): Promise<Pool> {
    const own = await this.getOwn(pool_id, context);
    if (context.dryRun) return toPool({ ...own, ...changed(own, changes) });
    const made = await this.pools.change(context, pool_id, (now) => changed(now, changes));
    if (!made) throw new AppError('resource_not_found');
    return (made.earlierAnswer as Pool | undefined) ?? toPool(made.document);
  }

  /** Pools that have more lanes, which are yet to be offered to the waitlist. */
  get widened(): PoolsRepository['widened'] {
    return this.pools.widened;
  }

  /** A pool of the school; throws `resource_not_found`, or `school_only` for other kinds of accounts. */
  async getOwn(id: string, context: RequestContext): Promise<PoolDocument> {
    if (context.principal.kind !== 'school') throw new AppError('school_only');
    const pool = await this.pools.getPublic(context, id);
    if (pool.accountId !== context.principal.accountId) throw new AppError('resource_not_found');
    return pool;
  }

  /** Where those of these pools are that exist, by their ids. */
  async findPlaces(ids: Iterable<string>): Promise<Map<string, string>> {
    const found = await this.pools.findAll(ids);
    return new Map(found.map(({ _id, name, address }) => [_id, `${name}, ${address}`]));
  }

  /** The time zones of those of these pools that exist, by their ids. */
  async findZones(ids: Iterable<string>): Promise<Map<string, string>> {
    return new Map((await this.pools.findAll(ids)).map(({ _id, timezone }) => [_id, timezone]));
  }

  /** The default pool of each instructor, by the instructor's id. */
  async findDefaults(instructors: readonly (PoolsOfInstructor & { id: string })[]): Promise<Map<string, CountedPool>> {
    const found = await this.pools.findAll(new Set(instructors.flatMap(({ poolIds }) => poolIds)));
    const known = new Map(found.map((pool) => [pool._id, pool]));
    return new Map(
      instructors.flatMap((instructor) => {
        const pool = defaultPoolOf(instructor, known);
        return pool ? [[instructor.id, { id: pool._id, lanes: pool.lanes ?? UNCOUNTED_LANES }] as const] : [];
      }),
    );
  }

  /** The default pool of an instructor; null without one. `busy_retry` while a removal of it is in progress. */
  async findDefault(instructor: PoolsOfInstructor): Promise<Pool | null> {
    const found = await this.pools.findAll(instructor.poolIds);
    const pool = defaultPoolOf(instructor, new Map(found.map((each) => [each._id, each])));
    if (pool?.closing) await this.requireOpen(pool._id);
    return pool && toPool(pool);
  }

  /** A pool of this school; null when there is none of this id. `busy_retry` while a removal of it is in progress. */
  async findOf(context: RequestContext, poolId: string, schoolId: string): Promise<Pool | null> {
    const pool = await this.pools.findOwned(context, poolId, schoolId);
    if (pool?.closing) await this.requireOpen(poolId);
    return pool && toPool(pool);
  }

  /**
   * Throws `busy_retry` unless the pool exists and is not being removed; a retry finds that decided. Runs after a claim has
   * locked its time and before the commit, so that of a claim and a removal one sees the other.
   */
  async requireOpen(id: string): Promise<void> {
    const pool = await this.pools.findAny(id);
    if (pool && (!pool.closing || (await this.pools.reopenLapsed(id)))) return;
    throw new AppError('busy_retry', { retryAfterSeconds: 1 });
  }
}
