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
  async listFamilies(
    context: RequestContext,
    query: ParsedOf<typeof listFamilies>,
    { owing, among }: ListedFamilies,
  ): Promise<Page<ConnectionDocument>> {
    const { principal } = context;
    const kept = query.due ? withAny(owing) : await this.activeOr(owing, context);
    const filter = { schoolId: principal.accountId, $and: [kept, ...(among ? [withAny(among)] : [])] };
    return this.listPage(principal, query, { name: 'families', filter, cursors: this.cursors });
  }

  /** The accounts with which the requesting school has, or had, a connection; `status`: only one of that. */
  async findAccountIds({ principal }: RequestContext, status?: ConnectionDocument['status']): Promise<string[]> {
    const own = { schoolId: principal.accountId, ...(status && { status }) };
    const found = await this.findPicked(principal, own, ['accountId'], { limit: MOST_FAMILIES });
    return found.map(({ accountId }) => accountId);
  }

  // The query names only those whose connection has ended: few of those that owe.
  private async activeOr(owing: readonly string[], context: RequestContext): Promise<object> {
    const owes = new Set(owing);
    const ended = owes.size === 0 ? [] : await this.findAccountIds(context, 'ended');
    const left = ended.filter((accountId) => owes.has(accountId));
    return left.length === 0 ? { status: 'active' } : { $or: [{ status: 'active' }, withAny(left)] };
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
