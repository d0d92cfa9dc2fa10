import { Injectable } from '@nestjs/common';
import { connectionCreated, connectionEnded, type listConnections, type Page, type ParsedOf } from '@swim/contracts';
import {
  type AccountClock,
  AggregateRepository,
  asSystem,
  type Changed,
  type Clocked,
  Databases,
  type Decision,
  type Managed,
  OutboxRelay,
  oneOf,
} from '@swim/mongo';
import { CursorCodec, lowestIdAt, newId, type RequestContext } from '@swim/platform';
import mongoose from 'mongoose';
import { toConnection } from './connection.mapper.js';
import { type ConnectionState, ended } from './connection.rules.js';
import { type ConnectionDocument, connectionSchema } from './connection.schema.js';

const LEASE_MS = 20_000;
// After the last that the account has done, or the last date that it has chosen.
const LASTS_MS = 365 * 86_400_000;
// More than a test account has.
const MOST_OF_ACCOUNT = 10_000;
const MOST_TRIES = 12;
const REASON = 'a connection is that of a school and an account';
const system = asSystem(REASON);

/** The first step of the work on a connection that has changed. */
export const FIRST_STEP = 'rights';

/** The school and the account of a connection. */
export interface Pair {
  schoolId: string;
  accountId: string;
}

/** What the school calls the account and its members, and the import by which it does. */
export type ExternalIds = Pick<ConnectionDocument, 'externalId' | 'externalMembers' | 'importId'>;

type Change = Partial<ConnectionState & ExternalIds>;

export const pairOf = ({ schoolId, accountId }: Pair): string => `${schoolId}|${accountId}`;

/** Storage of connections. */
@Injectable()
export class ConnectionsRepository extends AggregateRepository<ConnectionDocument> {
  /** Connections that end by themselves. */
  readonly lapsing = this.work({ name: 'ends of connections by time', due: 'endsAt', reason: REASON });
  /** Connections on which there is work left. */
  readonly unfinished = this.work({ name: 'connections', due: 'dueAt', reason: REASON, leaseMs: LEASE_MS });

  constructor(
    private readonly databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('connections', connectionSchema), relay);
  }

  /** The connections of these schools and accounts, active or ended. */
  findAll(pairs: readonly Pair[]): Promise<ConnectionDocument[]> {
    return this.viewsBy(system, 'pair', pairs.map(pairOf));
  }

  /** The connection of a school and an account; null when they never had one. */
  async find(pair: Pair): Promise<ConnectionDocument | null> {
    const [found = null] = await this.findAll([pair]);
    return found;
  }

  findVisible({ principal }: RequestContext, id: string): Promise<ConnectionDocument | null> {
    return this.lookUp(principal, id);
  }

  /** A connection of any account. */
  findAny(id: string): Promise<ConnectionDocument | null> {
    return this.lookUp(system, id);
  }

  listVisible(
    { principal }: RequestContext,
    query: ParsedOf<typeof listConnections>,
  ): Promise<Page<ConnectionDocument>> {
    const { status, school_id, account_id, member_id, external_id } = query;
    const given = Object.entries({
      schoolId: school_id,
      accountId: account_id,
      memberIds: member_id,
      externalId: external_id,
    }).filter(([, value]) => value !== undefined);
    const filter = { ...oneOf('status', status), ...Object.fromEntries(given) };
    return this.listPage(principal, query, { name: 'connections', filter, cursors: this.cursors });
  }

  /** A connection as it would be stored. */
  preview(pair: Pair, state: ConnectionState & ExternalIds, id: string, at: Date): ConnectionDocument {
    return { ...this.fieldsOf(pair, state, id), createdAt: at, updatedAt: at } as ConnectionDocument;
  }

  /** Stores a connection that begins, with its event; throws `already_exists` when the two have one. */
  insert(
    context: RequestContext,
    pair: Pair,
    state: ConnectionState & ExternalIds & Clocked,
    id = newId('con'),
  ): Promise<ConnectionDocument> {
    return this.create(context, this.fieldsOf(pair, state, id), [{ type: connectionCreated, object: toConnection }]);
  }

  /**
   * Changes a connection, with the event of one that begins anew or ends; null when there is none. An `external_id` that the school has
   * given to another one is `already_exists`.
   */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: ConnectionDocument) => Change | null,
  ): Promise<Changed<ConnectionDocument> | null> {
    const decision = (now: ConnectionDocument): Decision<ConnectionDocument> | null => {
      const set = decide(now);
      if (!set) return null;
      const isTurned = set.status !== undefined && set.status !== now.status;
      const isActive = (set.status ?? now.status) === 'active';
      const type = set.status === 'ended' ? connectionEnded : connectionCreated;
      // A reset takes an account from the readers of a connection, which begins anew with the next booking.
      const readers = [now.schoolId, now.accountId];
      return {
        set: {
          ...set,
          ...this.timeOfEnd(set),
          ...(isTurned && { readers, endsAt: isActive ? this.fromNow() : null }),
          ...this.toBeDone(),
        } as Decision<ConnectionDocument>['set'],
        events: isTurned ? [{ type, object: toConnection, audience: readers }] : [],
        answer: toConnection,
      };
    };
    return this.mutate(system, id, context, decision);
  }

  /**
   * Has an active connection last at least for 365 days from an instant in real time, or from a date by the clock of its account. It
   * never ends earlier by it. Idempotent.
   */
  async prolong(pair: Pair, from: Date, isShown: boolean): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const now = await this.find(pair);
      if (!now?.endsAt) return;
      const { _id, clockOffsetMs = null } = now;
      const until = new Date(from.getTime() + LASTS_MS - (isShown ? (clockOffsetMs ?? 0) : 0));
      if (until <= now.endsAt) return;
      const asRead = { _id, clockOffsetMs, endsAt: { $type: 'date', $lt: until } };
      // An end that was decided before misses the revision, and is decided again.
      if (await this.update(system, asRead, { $set: { endsAt: until }, $inc: { rev: 1 } })) return;
    }
  }

  /** Applies the clock of a test account to when its connections end. */
  applyClock(clock: AccountClock): Promise<void> {
    return this.applyClockTo({ filter: {}, dates: ['endsAt'] }, clock);
  }

  /** Connections of an account that end by themselves. */
  findLapsingOf(accountId: string): Promise<ConnectionDocument[]> {
    return this.findMany({ accountId }, { endsAt: { $type: 'date' } }, { endsAt: 1 }, MOST_OF_ACCOUNT);
  }

  /** Whether the school has given this id to another connection. */
  async isTaken(schoolId: string, externalId: string, id: string): Promise<boolean> {
    const others = { schoolId, externalId, _id: mongoose.trusted({ $ne: id }) };
    return this.exists(system, others);
  }

  /** The members to which the school has given one of these ids, in all its connections but one. */
  async findExternalMembers(
    schoolId: string,
    externalIds: readonly string[],
    exceptId = '',
  ): Promise<NonNullable<ExternalIds['externalMembers']>> {
    if (externalIds.length === 0) return [];
    const these = { 'externalMembers.externalId': mongoose.trusted({ $in: [...externalIds] }) };
    const found = await this.findPicked(system, { schoolId, ...these }, ['externalMembers'], {
      limit: MOST_OF_ACCOUNT,
    });
    const others = found.filter(({ _id }) => _id !== exceptId).flatMap((each) => each.externalMembers ?? []);
    return others.filter(({ externalId }) => externalIds.includes(externalId));
  }

  /** Ends a connection, and takes it from this account, which is erased or reset; nobody knows its external id then. Idempotent. */
  async leave(
    id: string,
    accountId: string,
    end: { by: 'school' | 'time'; at: Date },
    context: RequestContext,
  ): Promise<ConnectionDocument | null> {
    const left = await this.mutate(system, id, { ...context, opId: null }, (now) => {
      const by = now.accountId === accountId ? 'family' : end.by;
      const isActive = now.status === 'active';
      const ending = isActive ? ended(now, by, { at: end.at, notify: true }) : {};
      const set = {
        ...ending,
        ...this.timeOfEnd(ending),
        readers: now.readers.filter((reader) => reader !== accountId),
        externalId: null,
        externalMembers: [],
        importId: null,
        endsAt: null,
        ...this.toBeDone(),
      };
      const audience = [now.schoolId, now.accountId];
      const events = isActive ? [{ type: connectionEnded, object: toConnection, audience }] : [];
      return { set: set as Decision<ConnectionDocument>['set'], events, forgetsAnswers: true };
    });
    return left?.document ?? null;
  }

  /** Removes an erased member from its account's connections. Idempotent. */
  async forgetMember(accountId: string, memberId: string): Promise<void> {
    const named = { accountId, $or: [{ memberIds: memberId }, { 'left.memberId': memberId }] };
    const change = {
      $pull: { memberIds: memberId, left: { memberId }, externalMembers: { memberId } },
      $inc: { rev: 1 },
    };
    await this.model(system).updateMany({ readers: accountId, ...named }, change);
  }

  /** Ids of the connections that an account sees; `before`: only those last changed, or by an import begun, before that instant. */
  async findIdsOf(accountId: string, limit: number, before?: Date): Promise<string[]> {
    const byImport = before && { importId: mongoose.trusted({ $lt: lowestIdAt('imp', before) }) };
    const earlier = before ? { $or: [{ updatedAt: mongoose.trusted({ $lt: before }) }, byImport] } : {};
    const scope = { accountId };
    return (await this.findPicked(scope, earlier, [], { limit })).map(({ _id }) => _id);
  }

  private fieldsOf(pair: Pair, state: ConnectionState, _id: string): Omit<ConnectionDocument, Managed> {
    const readers = [pair.schoolId, pair.accountId];
    return {
      _id,
      ...pair,
      pair: pairOf(pair),
      readers,
      ...state,
      endsAt: this.fromNow(),
      cancelled: 0,
      ...this.toBeDone(),
    };
  }

  private timeOfEnd({ end }: Change): Pick<ConnectionDocument, 'lastEndedAt'> {
    return end ? { lastEndedAt: this.databases.clock.now() } : {};
  }

  private fromNow(): Date {
    return this.databases.clock.inMs(LASTS_MS);
  }

  /** The run of the change has the work on it first. */
  private toBeDone(): Pick<ConnectionDocument, 'step' | 'dueAt'> {
    return { step: FIRST_STEP, dueAt: this.databases.clock.inMs(LEASE_MS) };
  }
}
