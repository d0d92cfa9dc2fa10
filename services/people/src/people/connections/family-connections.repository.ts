import { Injectable } from '@nestjs/common';
import type { listFamilies, Page, ParsedOf } from '@swim/contracts';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { CursorCodec, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { type ConnectionDocument, connectionSchema } from './connection.schema.js';
import { pairOf } from './connections.repository.js';

// More than any school has, and the maximum of one query.
const MOST_FAMILIES = 60_000;
const withAny = (accountIds: readonly string[]) => ({ accountId: mongoose.trusted({ $in: [...accountIds] }) });

/** A connection as an import needs it. */
export type FamilyConnection = Pick<ConnectionDocument, 'accountId' | 'memberIds' | 'externalId' | 'externalMembers'>;

/** By what an import finds connections. */
const FIELDS = { account: 'pair', family: 'externalId', member: 'externalMembers.externalId' } as const;

/** Who owes the school something, and the accounts to list; undefined: all. */
export interface ListedFamilies {
  owing: readonly string[];
  among?: readonly string[] | undefined;
}

/** Reads the connections of a school with families. They are changed by `ConnectionsRepository`. */
@Injectable()
export class FamilyConnectionsRepository extends Repository<ConnectionDocument> {
  constructor(
    databases: Databases,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('connections', connectionSchema));
  }

  /**
   * Those of the requesting school that are active or with an account that owes it, newest first. `due`: only the latter; `among`: only
   * with these accounts.
   */
  listFamilies(
    { principal }: RequestContext,
    query: ParsedOf<typeof listFamilies>,
    { owing, among }: ListedFamilies,
  ): Promise<Page<ConnectionDocument>> {
    const kept = query.due ? withAny(owing) : { $or: [{ status: 'active' }, withAny(owing)] };
    const filter = { schoolId: principal.accountId, $and: [kept, ...(among ? [withAny(among)] : [])] };
    return this.listPage(principal, query, { name: 'families', filter, cursors: this.cursors });
  }

  /** The accounts with which the requesting school has, or had, a connection. */
  async findAccountIds({ principal }: RequestContext): Promise<string[]> {
    const { accountId } = principal;
    return this.model(principal).distinct('accountId', { readers: accountId, schoolId: accountId });
  }

  /** The active connections of a school by their accounts, or by the ids of the school for these or for members. */
  async findActive(schoolId: string, by: keyof typeof FIELDS, ids: readonly string[]): Promise<FamilyConnection[]> {
    if (ids.length === 0) return [];
    const values = by === 'account' ? ids.map((accountId) => pairOf({ schoolId, accountId })) : ids;
    // States the condition of the partial index, which is used only then.
    const these = { [FIELDS[by]]: mongoose.trusted({ $type: 'string', $in: [...values] }) };
    const fields = ['accountId', 'memberIds', 'externalId', 'externalMembers'] as const;
    const own = { schoolId, ...these, readers: schoolId, status: 'active' };
    return this.findPicked(asSystem('the import of a school'), own, fields, { limit: MOST_FAMILIES });
  }
}
