import { Controller } from '@nestjs/common';
import {
  createPool,
  getPool,
  listPools,
  type Page,
  type ParsedOf,
  type Pool,
  removePool,
  updatePool,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { PoolRemovalService } from './pool-removal.service.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class PoolsController {
  constructor(
    private readonly pools: PoolsService,
    private readonly removals: PoolRemovalService,
  ) {}

  @Serve(createPool)
  create(input: ParsedOf<typeof createPool>, call: Call): Promise<Pool> {
    return this.pools.create(input, call);
  }

  @Serve(getPool)
  get(input: ParsedOf<typeof getPool>, call: Call): Promise<Pool> {
    return this.pools.get(input.pool_id, call);
  }

  @Serve(listPools)
  list(query: ParsedOf<typeof listPools>, call: Call): Promise<Page<Pool>> {
    return this.pools.list(query, call);
  }

  @Serve(updatePool)
  update(input: ParsedOf<typeof updatePool>, call: Call): Promise<Pool> {
    return this.pools.update(input, call);
  }

  @Serve(removePool)
  remove(input: ParsedOf<typeof removePool>, call: Call): Promise<Record<string, never>> {
    return this.removals.remove(input.pool_id, call);
  }
}
