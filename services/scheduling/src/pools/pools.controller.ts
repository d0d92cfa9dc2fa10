import { Controller } from '@nestjs/common';
import {
  createPool,
  getPool,
  listOwnPools,
  listPools,
  type Page,
  type ParsedOf,
  type Pool,
  removePool,
  updatePool,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PoolRemovalService } from './pool-removal.service.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class PoolsController {
  constructor(
    private readonly pools: PoolsService,
    private readonly removals: PoolRemovalService,
  ) {}

  @Serve(createPool)
  create(input: ParsedOf<typeof createPool>, context: RequestContext): Promise<Pool> {
    return this.pools.create(input, context);
  }

  @Serve(getPool)
  get(input: ParsedOf<typeof getPool>, context: RequestContext): Promise<Pool> {
    return this.pools.get(input.pool_id, context);
  }

  @Serve(listPools)
  list(query: ParsedOf<typeof listPools>, context: RequestContext): Promise<Page<Pool>> {
    return this.pools.list(query, context);
  }

  @Serve(listOwnPools)
  listOwn(query: ParsedOf<typeof listOwnPools>, context: RequestContext): Promise<Page<Pool>> {
    return this.pools.listOwn(query, context);
  }

  @Serve(updatePool)
  update(input: ParsedOf<typeof updatePool>, context: RequestContext): Promise<Pool> {
    return this.pools.update(input, context);
  }

  @Serve(removePool)
  remove(input: ParsedOf<typeof removePool>, context: RequestContext): Promise<Record<string, never>> {
    return this.removals.remove(input.pool_id, context);
  }
}
