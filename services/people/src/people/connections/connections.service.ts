import { Inject, Injectable } from '@nestjs/common';
import {
  type Connection,
  type ConnectionChanges,
  connectBooked,
  createConnection,
  endConnection,
  findConnection,
  getConnection,
  listConnections,
  type OutputOf,
  type Page,
  type ParsedOf,
  type Participants,
  updateConnection,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { isDuplicate } from '@swim/mongo';
import { AppError, clockOffsetIn, invalidState, KeyedQueue, type RequestContext, timeOfId } from '@swim/platform';
import { AccountClocksService } from '../../identity/accounts/account-clocks.service.js';
import { AccountsService, isEnding } from '../../identity/accounts/accounts.service.js';
import { ActingService } from '../../identity/accounts/acting.service.js';
import { MembersService } from '../members/members.service.js';
import { toConnection } from './connection.mapper.js';
import {
  ended,
  isEndedBySchool,
  isVoid,
  type Joining,
  joined,
  newConnection,
  reopened,
  withMembers,
} from './connection.rules.js';
import type { ConnectionDocument } from './connection.schema.js';
import { ConnectionSaga } from './connection-saga.service.js';
import { ConnectionsRepository, type Pair } from './connections.repository.js';

type Change = Parameters<ConnectionsRepository['change']>[2];

/** A member, and the generation of the connection in which it was booked. */
type Booked = Pick<ConnectionDocument['left'][number], 'memberId' | 'generation'>;

/** Connections as families and schools use them. */
@Injectable()
export class ConnectionsService {
  @Inject(ActingService) private readonly acting!: ActingService;
  private readonly joining = new KeyedQueue();
  /** By the connection: members that the next change of it adds. */
  private readonly waiting = new Map<string, { booked: Booked[]; stored: Promise<void> }>();

  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly saga: ConnectionSaga,
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
  ) {}

  @Serve(createConnection)
  async create(
    { school_id: schoolId, member_ids: memberIds }: ParsedOf<typeof createConnection>,
    requesting: RequestContext,
  ): Promise<Connection> {
    const context = await this.asOwner(memberIds[0]!, requesting);
    const pair = { schoolId, accountId: context.principal.accountId };
    const id = context.newId('con');
    const known = await this.connections.find(pair);
    if (known?._id === id) return toConnection(await this.begin(known));
    await this.requireSchool(pair);
    await this.members.requireOwn(memberIds, context);
    if (known) return this.change(known, (now) => joinedBy(now, memberIds), context);
    const fresh = await this.fresh(pair, { memberIds, origin: 'family' }, context);
    if (context.dryRun) return toConnection(this.connections.preview(pair, fresh, id, timeOfId(id)));
    try {
      return toConnection(await this.begin(await this.connections.insert(context, pair, fresh, id)));
    } catch (error) {
      // Another request has connected the two meanwhile.
      const other = await this.connections.find(pair);
      if (!other) throw error;
      return this.change(other, (now) => joinedBy(now, memberIds), context);
    }
  }

  @Serve(getConnection)
  async get({ connection_id: id }: ParsedOf<typeof getConnection>, context: RequestContext): Promise<Connection> {
    return toConnection((await this.visible(id, context, 'reading')).known);
  }

  /** A school that acts for the account of a filter lists what that account sees. */
  @Serve(listConnections)
  async list(query: ParsedOf<typeof listConnections>, requesting: RequestContext): Promise<Page<Connection>> {
    const { account_id: accountId } = query;
    const context = (accountId !== undefined && (await this.acting.readingAs(accountId, requesting))) || requesting;
    const { items, pagination } = await this.connections.listVisible(context, query);
    return { items: items.map(toConnection), pagination };
  }

  @Serve(updateConnection)
  async update(
    { connection_id: id, changes: requested }: ParsedOf<typeof updateConnection>,
    requesting: RequestContext,
  ): Promise<Connection> {
    const { notify_participants: isNotified = true, ...fields } = requested;
    const { known, context } = await this.visible(id, requesting);
    const changes = differing(known, fields);
    requireSide(known, changes, context);
    const { member_ids: memberIds, external_id: externalId, status } = changes;
    const own = memberIds || status ? await this.acting.contextOf(known.accountId, context) : null;
    if (memberIds && !own) throw notOwner();
    if (memberIds) await this.members.requireOwn(memberIds, own!);
    if (status && own)
      throw invalidState('The account of a family that nobody has claimed ends with its connection', known.status);
    if (status) await this.requireAccount(known);
    if (externalId && (await this.connections.isTaken(known.schoolId, externalId, id))) throw idTaken();
    try {
      return await this.change(known, (now) => changed(now, changes, { isQuiet: !isNotified }), context);
    } catch (error) {
      throw isDuplicate(error) ? idTaken() : error;
    }
  }

  @Serve(endConnection)
  async end(
    { connection_id: id, notify_participants: notify }: ParsedOf<typeof endConnection>,
    requesting: RequestContext,
  ): Promise<Connection> {
    const { known, context } = await this.visible(id, requesting);
    const at = await this.clocks.now(context, [known.schoolId, known.accountId]);
    const by = context.principal.accountId === known.schoolId ? 'school' : 'family';
    return this.change(known, (now) => (now.status === 'ended' ? null : ended(now, by, { at, notify })), context);
  }

  @Serve(findConnection)
  async find(pair: ParsedOf<typeof findConnection>): Promise<OutputOf<typeof findConnection>> {
    const found = await this.connections.find(pair);
    if (found?.status !== 'active') return { connection: null };
    const { _id: id, memberIds, generation, lastEndedAt: endedAt } = found;
    const lastEndedAt = endedAt && { lastEndedAt: endedAt.toISOString() };
    return { connection: { id, memberIds, generation, ...lastEndedAt } };
  }

  /** What the participants of a booking need of it. */
  async describe(pair: Pair, memberIds: readonly string[]): Promise<NonNullable<Participants['connection']>> {
    const found = await this.connections.find(pair);
    if (!found) return { generation: 0, names: false, isEndedBySchool: false };
    const names = found.status === 'active' && memberIds.every((id) => found.memberIds.includes(id));
    return { generation: found.generation, names, isEndedBySchool: isEndedBySchool(found) };
  }

  @Serve(connectBooked)
  async connectBooked(
    { memberIds, generation, ...pair }: ParsedOf<typeof connectBooked>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    const booked = memberIds.map((memberId) => ({ memberId, generation }));
    const known = await this.connections.find(pair);
    if (known) await this.joinBooked(known._id, booked, context);
    else
      try {
        const fresh = await this.fresh(pair, { memberIds, origin: 'booking' }, context);
        await this.begin(await this.connections.insert(context, pair, fresh));
      } catch (error) {
        const other = await this.connections.find(pair);
        if (!other) throw error;
        await this.joinBooked(other._id, booked, context);
      }
    return {};
  }

  // A club may book for many members at once: their changes of one connection would supersede each other, so they share the next one.
  private joinBooked(id: string, booked: readonly Booked[], context: RequestContext): Promise<void> {
    const waiting = this.waiting.get(id);
    if (waiting) {
      waiting.booked.push(...booked);
      return waiting.stored;
    }
    const together = [...booked];
    const stored = this.joining.run(id, async () => {
      this.waiting.delete(id);
      const changed = await this.connections.change(context, id, (now) => withBooked(now, together));
      if (changed) await this.begin(changed.document);
    });
    this.waiting.set(id, { booked: together, stored });
    return stored;
  }

  private async change(known: ConnectionDocument, decide: Change, context: RequestContext): Promise<Connection> {
    if (context.dryRun) return toConnection({ ...known, ...decide(known) });
    const changed = await this.connections.change(context, known._id, decide);
    if (!changed) throw new AppError('resource_not_found');
    await this.begin(changed.document);
    const { accountId, actingSchoolId } = context.principal;
    if (accountId === known.accountId && actingSchoolId === undefined)
      await this.connections.prolong(known, changed.document.updatedAt, false);
    return (changed.earlierAnswer as Connection | undefined) ?? toConnection(changed.document);
  }

  private async fresh({ schoolId, accountId }: Pair, joining: Joining, { principal: { env } }: RequestContext) {
    const offsetMs = await this.clocks.latestOffset([schoolId, accountId]);
    return { ...newConnection(joining), ...clockOffsetIn(env, offsetMs) };
  }

  // Another request may be at the same work: both leave the same.
  private async begin(connection: ConnectionDocument): Promise<ConnectionDocument> {
    if (connection.dueAt) await this.saga.begin(connection);
    return connection;
  }

  /** The context of a member's account, where a school acts for it. */
  private async asOwner(memberId: string, context: RequestContext): Promise<RequestContext> {
    const owner = context.principal.kind === 'school' ? await this.members.findAccountOf(memberId) : null;
    return (owner !== null && (await this.acting.contextOf(owner, context))) || context;
  }

  /** A connection that the account sees, or one of an account for which it acts, and whose request this is then. */
  private async visible(id: string, requesting: RequestContext, purpose: 'reading' | 'writing' = 'writing') {
    const own = await this.connections.findVisible(requesting, id);
    if (own) return { known: own, context: requesting };
    const other = requesting.principal.kind === 'school' ? await this.connections.findAny(id) : null;
    const find = purpose === 'reading' ? 'readingAs' : 'contextOf';
    const context = other && (await this.acting[find](other.accountId, requesting));
    if (!context) throw new AppError('resource_not_found');
    return { known: other, context };
  }

  private async requireAccount({ accountId, status }: ConnectionDocument): Promise<void> {
    const account = await this.accounts.findFacts(accountId);
    if (!account || account.isErased)
      throw invalidState('Only a connection with an account that is not erased can be reopened', status);
  }

  private async requireSchool({ schoolId, accountId }: Pair): Promise<void> {
    const school = await this.accounts.findFacts(schoolId);
    if (school?.kind !== 'school' || isEnding(school) || schoolId === accountId)
      throw new AppError('not_found', { field: 'school_id' });
  }
}

const notOwner = () =>
  new AppError('foreign_account', {
    field: 'member_ids',
    message: 'Only the account that has the members says whom the school may read.',
  });

const idTaken = () =>
  new AppError('already_exists', {
    field: 'external_id',
    message: 'Another connection of the school has this external_id. Choose another one.',
  });

/** The connection with those whom its account has booked, unless that is void. */
function withBooked(now: ConnectionDocument, booked: readonly Booked[]): ReturnType<Change> {
  const current = booked.filter(({ memberId, generation }) => !isVoid(now, generation, memberId));
  const memberIds = [...new Set(current.map(({ memberId }) => memberId))];
  return memberIds.length === 0 ? null : joined(now, { memberIds, origin: 'booking' });
}

/** The connection with the members whom its account has asked for. */
function joinedBy(now: ConnectionDocument, memberIds: readonly string[]): ReturnType<Change> {
  if (isEndedBySchool(now)) throw new AppError('connection_ended', { field: 'school_id' });
  return joined(now, { memberIds, origin: 'family' });
}

/** The fields that differ: those that are sent unchanged are accepted from both sides. */
function differing(known: ConnectionDocument, requested: ConnectionChanges): ConnectionChanges {
  const now: Record<string, unknown> = toConnection(known);
  const isOther = ([field, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(now[field]);
  return Object.fromEntries(Object.entries(requested).filter(isOther));
}

/** Only the school reopens, and has an id of its own for the account. */
function requireSide(
  { schoolId }: ConnectionDocument,
  { status, external_id }: ConnectionChanges,
  { principal }: RequestContext,
): void {
  const isSchool = principal.accountId === schoolId;
  const field = status === undefined ? 'external_id' : 'status';
  if (!isSchool && (status !== undefined || external_id !== undefined)) throw new AppError('school_only', { field });
}

function changed(
  now: ConnectionDocument,
  changes: ConnectionChanges,
  saying: { isQuiet: boolean },
): ReturnType<Change> {
  const { member_ids: memberIds, status, external_id: externalId } = changes;
  if (memberIds && now.status === 'ended')
    throw invalidState('An ended connection has no members to change: POST /v1/connections begins it anew', now.status);
  const isReopened = status === 'active' && now.status === 'ended';
  if (isReopened && !isEndedBySchool(now))
    throw invalidState('Only the school that has ended a connection reopens it', now.status);
  const set = {
    ...(memberIds && withMembers(now, memberIds, saying)),
    ...(isReopened && reopened()),
    ...(externalId === undefined || externalId === (now.externalId ?? null) ? {} : { externalId }),
  };
  return Object.keys(set).length === 0 ? null : set;
}
