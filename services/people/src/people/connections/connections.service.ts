import { Injectable } from '@nestjs/common';
import {
  type Connection,
  type ConnectionChanges,
  createConnection,
  endConnection,
  findConnection,
  getConnection,
  listConnections,
  type OutputOf,
  type Page,
  type ParsedOf,
  updateConnection,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { isDuplicate } from '@swim/mongo';
import { AppError, invalidState, type RequestContext, timeOfId } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { AccountsService, isEnding } from '../../identity/accounts/accounts.service.js';
import { MembersService } from '../members/members.service.js';
import { toConnection } from './connection.mapper.js';
import { ended, isEndedBySchool, joined, newConnection, reopened, withMembers } from './connection.rules.js';
import type { ConnectionDocument } from './connection.schema.js';
import { ConnectionsRepository, type Pair } from './connections.repository.js';

type Change = Parameters<ConnectionsRepository['change']>[2];

/** Connections as families and schools use them. */
@Injectable()
export class ConnectionsService {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
  ) {}

  @Serve(createConnection)
  async create(
    { school_id: schoolId, member_ids: memberIds }: ParsedOf<typeof createConnection>,
    context: RequestContext,
  ): Promise<Connection> {
    const pair = { schoolId, accountId: context.principal.accountId };
    const id = context.newId('con');
    const known = await this.connections.find(pair);
    if (known?._id === id) return toConnection(known);
    await this.requireSchool(pair);
    await this.members.requireOwn(memberIds, context);
    if (known) return this.change(known, (now) => joinedBy(now, memberIds), context);
    const fresh = newConnection({ memberIds, origin: 'family' });
    if (context.dryRun) return toConnection(this.connections.preview(pair, fresh, id, timeOfId(id)));
    try {
      return toConnection(await this.connections.insert(context, pair, fresh, id));
    } catch (error) {
      // Another request has connected the two meanwhile.
      const other = await this.connections.find(pair);
      if (!other) throw error;
      return this.change(other, (now) => joinedBy(now, memberIds), context);
    }
  }

  @Serve(getConnection)
  async get({ connection_id: id }: ParsedOf<typeof getConnection>, context: RequestContext): Promise<Connection> {
    return toConnection(await this.connections.getVisible(context, id));
  }

  @Serve(listConnections)
  async list(query: ParsedOf<typeof listConnections>, context: RequestContext): Promise<Page<Connection>> {
    const { items, pagination } = await this.connections.listVisible(context, query);
    return { items: items.map(toConnection), pagination };
  }

  @Serve(updateConnection)
  async update(
    { connection_id: id, changes }: ParsedOf<typeof updateConnection>,
    context: RequestContext,
  ): Promise<Connection> {
    const known = await this.connections.getVisible(context, id);
    requireSide(known, changes, context);
    if (changes.member_ids) await this.members.requireOwn(changes.member_ids, context);
    const { external_id: externalId } = changes;
    if (externalId && (await this.connections.isTaken(known.schoolId, externalId, id))) throw idTaken();
    try {
      return await this.change(known, (now) => changed(now, changes), context);
    } catch (error) {
      throw isDuplicate(error) ? idTaken() : error;
    }
  }

  @Serve(endConnection)
  async end(
    { connection_id: id, notify_participants: notify }: ParsedOf<typeof endConnection>,
    context: RequestContext,
  ): Promise<Connection> {
    const known = await this.connections.getVisible(context, id);
    const at = await this.clocks.now(context, [known.schoolId, known.accountId]);
    const by = context.principal.accountId === known.schoolId ? 'school' : 'family';
    return this.change(known, (now) => (now.status === 'ended' ? null : ended(now, by, { at, notify })), context);
  }

  @Serve(findConnection)
  async find(pair: ParsedOf<typeof findConnection>): Promise<OutputOf<typeof findConnection>> {
    const found = await this.connections.find(pair);
    if (found?.status !== 'active') return { connection: null };
    const { _id: id, memberIds, generation } = found;
    return { connection: { id, memberIds, generation } };
  }

  private async change(known: ConnectionDocument, decide: Change, context: RequestContext): Promise<Connection> {
    if (context.dryRun) return toConnection({ ...known, ...decide(known) });
    const changed = await this.connections.change(context, known._id, decide);
    if (!changed) throw new AppError('resource_not_found');
    return (changed.earlierAnswer as Connection | undefined) ?? toConnection(changed.document);
  }

  private async requireSchool({ schoolId, accountId }: Pair): Promise<void> {
    const school = await this.accounts.findFacts(schoolId);
    if (school?.kind !== 'school' || isEnding(school) || schoolId === accountId)
      throw new AppError('not_found', { field: 'school_id' });
  }
}

const idTaken = () =>
  new AppError('already_exists', {
    field: 'external_id',
    message: 'Another connection of the school has this external_id. Choose another one.',
  });

/** The connection with the members whom its account has asked for. */
function joinedBy(now: ConnectionDocument, memberIds: readonly string[]): ReturnType<Change> {
  if (isEndedBySchool(now)) throw new AppError('connection_ended', { field: 'school_id' });
  return joined(now, { memberIds, origin: 'family' });
}

/** The account changes its members, the school reopens and has an id of its own for it. */
function requireSide(
  { schoolId }: ConnectionDocument,
  { member_ids, status, external_id }: ConnectionChanges,
  { principal }: RequestContext,
): void {
  const isSchool = principal.accountId === schoolId;
  if (isSchool && member_ids)
    throw new AppError('foreign_account', {
      field: 'member_ids',
      message: 'Only the account that has the members says whom the school may read.',
    });
  const field = status === undefined ? 'external_id' : 'status';
  if (!isSchool && (status !== undefined || external_id !== undefined)) throw new AppError('school_only', { field });
}

function changed(now: ConnectionDocument, changes: ConnectionChanges): ReturnType<Change> {
  const { member_ids: memberIds, status, external_id: externalId } = changes;
  if (memberIds && now.status === 'ended')
    throw invalidState('An ended connection has no members to change: POST /v1/connections begins it anew', now.status);
  const isReopened = status === 'active' && now.status === 'ended';
  if (isReopened && !isEndedBySchool(now))
    throw invalidState('Only the school that has ended a connection reopens it', now.status);
  const set = {
    ...(memberIds && withMembers(now, memberIds)),
    ...(isReopened && reopened()),
    ...(externalId === undefined || externalId === (now.externalId ?? null) ? {} : { externalId }),
  };
  return Object.keys(set).length === 0 ? null : set;
}
