import { Injectable } from '@nestjs/common';
import { isDuplicate } from '@swim/mongo';
import { AppError, clockOffsetIn, type RequestContext, timeOfId } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { joined, newConnection } from './connection.rules.js';
import type { ConnectionDocument } from './connection.schema.js';
import { ConnectionSaga } from './connection-saga.service.js';
import { ConnectionsRepository, type Pair } from './connections.repository.js';

/** The connection that a school makes with an account that it makes. */
export interface MadeConnection {
  id: string;
  externalId: string | null;
  /** In the order of the request. */
  members: readonly { id: string; externalId: string | null }[];
  importId?: string;
}

/** Connections of schools with the accounts that they have made. */
@Injectable()
export class MadeConnections {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly saga: ConnectionSaga,
    private readonly clocks: AccountClocksService,
  ) {}

  /** Throws `already_exists` at the first id that the school has given to another family or member. */
  async requireFree(schoolId: string, { id, externalId, members }: MadeConnection): Promise<void> {
    if (externalId !== null && (await this.connections.isTaken(schoolId, externalId, id))) throw idTaken('external_id');
    const requested = members.map((member) => member.externalId);
    const given = requested.filter((each) => each !== null);
    const [taken] = await this.connections.findExternalMembers(schoolId, given, id);
    if (taken) throw idTaken(`members.${requested.indexOf(taken.externalId)}.external_id`);
  }

  /** Makes a connection, and gives the school its right. An id that the school has given meanwhile is `already_exists`. Idempotent. */
  async make(pair: Pair, made: MadeConnection, context: RequestContext): Promise<ConnectionDocument> {
    const state = { ...(await this.fresh(pair, made, context)), ...externalIdsOf(made), ...importOf(made) };
    const connection = context.dryRun
      ? this.connections.preview(pair, state, made.id, timeOfId(made.id))
      : await this.connections.insert(context, pair, state, made.id);
    if (connection.dueAt && !context.dryRun) await this.saga.begin(connection);
    return connection;
  }

  /** Adds a member that the school has added to an account. Idempotent. */
  async join(pair: Pair, memberId: string, context: RequestContext): Promise<void> {
    const known = await this.connections.find(pair);
    const changed = known && (await this.connections.change(context, known._id, (now) => withMember(now, memberId)));
    if (changed?.document.dueAt) await this.saga.begin(changed.document);
  }

  /** Adds members, and ids of the school for these and their account. Throws `already_exists`. Idempotent. */
  async adopt(pair: Pair, adopted: Omit<MadeConnection, 'id'>, context: RequestContext): Promise<void> {
    const known = await this.connections.find(pair);
    if (known?.status !== 'active') throw new AppError('connection_ended');
    try {
      const changed = await this.connections.change(context, known._id, (now) => withAdopted(now, adopted));
      if (changed?.document.dueAt) await this.saga.begin(changed.document);
    } catch (error) {
      throw isDuplicate(error) ? idTaken('external_id') : error;
    }
  }

  private async fresh(
    { schoolId, accountId }: Pair,
    { members }: MadeConnection,
    { principal: { env } }: RequestContext,
  ) {
    const offsetMs = await this.clocks.latestOffset([schoolId, accountId]);
    const joining = { memberIds: members.map(({ id }) => id), origin: 'school' as const };
    return { ...newConnection(joining), ...clockOffsetIn(env, offsetMs) };
  }
}

const withMember = (now: ConnectionDocument, memberId: string) =>
  now.status === 'active' ? joined(now, { memberIds: [memberId], origin: now.origin }) : null;

function withAdopted(now: ConnectionDocument, { externalId, members, ...by }: Omit<MadeConnection, 'id'>) {
  const { externalMembers = [] } = now;
  const isNamed = (memberId: string) => externalMembers.some((each) => each.memberId === memberId);
  const named = (externalIdsOf({ externalId, members }).externalMembers ?? []).filter(
    ({ memberId }) => !isNamed(memberId),
  );
  const set = {
    ...joined(now, { memberIds: members.map(({ id }) => id), origin: now.origin }),
    ...(named.length > 0 ? { externalMembers: [...externalMembers, ...named] } : {}),
    ...(externalId !== null && externalId !== (now.externalId ?? null) ? { externalId } : {}),
  };
  return Object.keys(set).length === 0 ? null : { ...set, ...importOf(by) };
}

const importOf = ({ importId }: Pick<MadeConnection, 'importId'>) => (importId === undefined ? {} : { importId });

function externalIdsOf({ externalId, members }: Omit<MadeConnection, 'id'>) {
  const named = members.flatMap(({ id: memberId, externalId: each }) =>
    each === null ? [] : [{ memberId, externalId: each }],
  );
  return { externalId, ...(named.length > 0 ? { externalMembers: named } : {}) };
}

const idTaken = (field: string) =>
  new AppError('already_exists', {
    field,
    message: `The school has given this ${field} to another family or member. Choose another one.`,
  });
