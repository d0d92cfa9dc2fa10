import { Injectable } from '@nestjs/common';
import type { createPool, listPools, Page, ParsedOf, Pool } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AppError, timeOfId } from '@swim/platform';
import { toPool } from './pool.mapper.js';
import { PoolsRepository } from './pools.repository.js';

/** Use cases of pools. */
@Injectable()
export class PoolsService {
  constructor(private readonly pools: PoolsRepository) {}

  async create(input: ParsedOf<typeof createPool>, call: Call): Promise<Pool> {
    const { accountId, kind } = call.principal;
    if (kind !== 'school') throw new AppError('school_only');
    const pool = { ...input, _id: call.newId('pool'), accountId, lanes: input.lanes ?? null };
    if (call.dryRun) return toPool({ ...pool, createdAt: timeOfId(pool._id) } as Parameters<typeof toPool>[0]);
    return toPool(await this.pools.insert(call, pool));
  }

  async get(id: string, call: Call): Promise<Pool> {
    return toPool(await this.pools.getPublic(call, id));
  }

  async list(request: ParsedOf<typeof listPools>, call: Call): Promise<Page<Pool>> {
    const { items, pagination } = await this.pools.listPublic(call, request);
    return { items: items.map(toPool), pagination };
  }

  /** A pool of this school; null when there is none of this id. */
  async findOf(call: Call, poolId: string, schoolId: string): Promise<Pool | null> {
    const pool = await this.pools.findOwned(call, poolId, schoolId);
    return pool && toPool(pool);
  }
}
