import { Injectable } from '@nestjs/common';
import type { Page } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { AggregateRepository, Databases, type ListRequest, type Managed, OutboxRelay, PUBLIC } from '@swim/mongo';
import { AppError, CursorCodec } from '@swim/platform';
import { type PoolDocument, poolSchema } from './pool.schema.js';

/** Memory of pools: public, owned by a school. */
@Injectable()
export class PoolsRepository extends AggregateRepository<PoolDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('pools', poolSchema), relay, true);
  }

  insert(call: Call, pool: Omit<PoolDocument, Managed | 'readers'>): Promise<PoolDocument> {
    return this.create(call, { ...pool, readers: [PUBLIC] });
  }

  /** Throws `resource_not_found`. */
  async getPublic(call: Call, id: string): Promise<PoolDocument> {
    const pool = await this.findOne(call.principal, { _id: id });
    if (!pool) throw new AppError('resource_not_found');
    return pool;
  }

  findOwned(call: Call, id: string, accountId: string): Promise<PoolDocument | null> {
    return this.findOne(call.principal, { _id: id, accountId });
  }

  listPublic(call: Call, request: ListRequest): Promise<Page<PoolDocument>> {
    const { accountId, env } = call.principal;
    return this.page(
      call.principal,
      {},
      {
        order: 'newest',
        asked: request,
        cursors: this.cursors,
        bound: {
          list: 'pools',
          accountId,
          env,
          filters: {},
        },
      },
    );
  }
}
