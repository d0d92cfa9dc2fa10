import { Injectable } from '@nestjs/common';
import type { listFamilies, Page, ParsedOf } from '@swim/contracts';
import type { RequestContext } from '@swim/platform';
import type { ConnectionDocument } from './connection.schema.js';
import {
  type FamilyConnection,
  FamilyConnectionsRepository,
  type ListedFamilies,
} from './family-connections.repository.js';

/** The connections of a school with its families. */
@Injectable()
export class FamilyConnections {
  constructor(private readonly connections: FamilyConnectionsRepository) {}

  list(
    context: RequestContext,
    query: ParsedOf<typeof listFamilies>,
    of: ListedFamilies,
  ): Promise<Page<ConnectionDocument>> {
    return this.connections.listFamilies(context, query, of);
  }

  /** The accounts with which the requesting school has, or had, a connection. */
  findAccountIds(context: RequestContext): Promise<string[]> {
    return this.connections.findAccountIds(context);
  }

  /** See `FamilyConnectionsRepository.findActive`. */
  findActive(...of: Parameters<FamilyConnectionsRepository['findActive']>): Promise<FamilyConnection[]> {
    return this.connections.findActive(...of);
  }
}
