import { Injectable } from '@nestjs/common';
import { MOST_WEBHOOK_ENDPOINTS, type Page } from '@swim/contracts';
import {
  type AccountClock,
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type ListQuery,
  type Managed,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext, sharedClock } from '@swim/platform';
import type { TryDays } from './try-days.rules.js';
import {
  type TryLease,
  type WebhookEndpointDocument,
  type WebhookReplay,
  webhookEndpointSchema,
} from './webhook-endpoint.schema.js';

const ALREADY_EXISTS = 'already_exists';

// The condition of the index by account.
const IN_SLOT = { slot: { $type: 'number' } };

const LONG_AGO = new Date(0);

const delivering = asSystem('events are delivered for all accounts');

/** How many tries at a time a replica requests, of `most` that all have together. */
export interface TryRequest {
  replica: string;
  needed: number;
  most: number;
  leaseMs: number;
}

/** The fields of a new endpoint. */
export type NewEndpoint = Omit<WebhookEndpointDocument, Managed | 'slot' | 'readers'>;

/** Storage of webhook endpoints, at most 16 of an account. */
@Injectable()
export class WebhookEndpointsRepository extends AggregateRepository<WebhookEndpointDocument> {
  constructor(
    databases: Databases,
    relay: OutboxRelay,
    private readonly cursors: CursorCodec,
  ) {
    super(databases.collection('webhook_endpoints', webhookEndpointSchema), relay);
  }

  /** Stores a new endpoint in a free slot of its account; null when there is none. */
  async insert(context: RequestContext, endpoint: NewEndpoint): Promise<WebhookEndpointDocument | null> {
    for (;;) {
      const own = await this.findOfAccount(context);
      const slot = freeSlot(own.map((each) => each.slot));
      if (slot === undefined) return own.find(({ _id }) => _id === endpoint._id) ?? null;
      try {
        return await this.create(context, { ...endpoint, slot, readers: [endpoint.accountId] });
      } catch (error) {
        // A concurrent request has taken the slot.
        if (!(error instanceof AppError && error.reason === ALREADY_EXISTS)) throw error;
      }
    }
  }

  /** Whether the account has no slot left. */
  async isFull(context: RequestContext): Promise<boolean> {
    return (await this.findOfAccount(context)).length >= MOST_WEBHOOK_ENDPOINTS;
  }

  /** Throws `resource_not_found`. */
  async get(context: RequestContext, id: string): Promise<WebhookEndpointDocument> {
    const endpoint = await this.view(context.principal, id);
    if (!endpoint) throw new AppError('resource_not_found');
    return endpoint;
  }

  /** The answer that an earlier run of the request stored with the endpoint; undefined without one. */
  async findEarlierAnswer(context: RequestContext, id: string): Promise<unknown> {
    const endpoint = await this.lookUp(context.principal, id);
    return endpoint ? this.findAnswer(endpoint, context) : undefined;
  }

  /** Changes an endpoint of the account. Throws `resource_not_found`. */
  async change(
    context: RequestContext,
    id: string,
    decide: (now: WebhookEndpointDocument) => Decision<WebhookEndpointDocument> | null,
  ): Promise<Changed<WebhookEndpointDocument>> {
    const changed = await this.mutate(context.principal, id, context, decide);
    if (!changed) throw new AppError('resource_not_found');
    return changed;
  }

  /** Removes an endpoint of the account; false when there is none. */
  removeOwn(context: RequestContext, id: string): Promise<boolean> {
    const { accountId, env } = context.principal;
    return this.removeForGood({ env, accountId }, { _id: id }, context);
  }

  /** The account's endpoints, newest first. */
  list({ principal }: RequestContext, query: ListQuery): Promise<Page<WebhookEndpointDocument>> {
    const filter = { accountId: principal.accountId, ...IN_SLOT };
    return this.listPage(principal, query, { name: 'webhook endpoints', filter, cursors: this.cursors });
  }

  /** The enabled endpoints of these accounts. */
  findEnabled(
    accountIds: readonly string[],
  ): Promise<Pick<WebhookEndpointDocument, '_id' | 'accountId' | 'events' | 'createdAt'>[]> {
    const limit = accountIds.length * MOST_WEBHOOK_ENDPOINTS;
    const filter = { accountId: { $in: [...accountIds] }, ...IN_SLOT, enabled: true };
    return this.findPicked(delivering, filter, ['accountId', 'events', 'createdAt'], { limit });
  }

  /** An endpoint of any account; null without one. */
  findAny(id: string): Promise<WebhookEndpointDocument | null> {
    return this.view(delivering, id);
  }

  /** Changes an endpoint of any account; without effect when it is gone. */
  async changeAny(
    context: RequestContext,
    id: string,
    decide: (now: WebhookEndpointDocument) => Decision<WebhookEndpointDocument> | null,
  ): Promise<void> {
    await this.mutate(delivering, id, context, decide);
  }

  /** Applies the clock of a test account, advanced from an offset, to its endpoints that were tried. */
  applyClock(clock: AccountClock, fromMs: number): Promise<void> {
    const tried = { accountId: clock.accountId, 'days.last': { $type: 'date' } };
    return this.applyClockTo({ filter: tried, dates: ['days.last'], fromMs }, clock);
  }

  /** Records how the last day of an endpoint with this URL goes, unless something else is recorded than was read. */
  async markDays({ id, url }: { id: string; url: string }, read: TryDays | null, days: TryDays): Promise<void> {
    const asRead = read ? { 'days.last': read.last, 'days.failed': read.failed } : { days: null };
    await this.update(delivering, { _id: id, url, enabled: true, ...asRead }, { $set: { days } });
  }

  /** The endpoints with a replay in progress. */
  findReplaying(limit: number): Promise<WebhookEndpointDocument[]> {
    const replaying = { 'replay.id': { $type: 'string' } };
    return this.findUnlessQuiet(delivering, 'replays', sharedClock.now(), () =>
      this.findMany(delivering, replaying, { 'replay.id': 1 }, limit),
    );
  }

  /** Moves a replay forward to a sequence; null ends it. */
  async moveReplay(id: string, replay: WebhookReplay, position: number | null): Promise<void> {
    const ofReplay = { _id: id, 'replay.id': replay.id };
    if (position === null) await this.update(delivering, ofReplay, { $set: { replay: null } });
    else await this.update(delivering, ofReplay, { $max: { 'replay.position': position } });
  }

  /**
   * Leases tries to an endpoint to a replica, in place of its former lease: as many as it requests, or what the valid leases of
   * others leave. One update by the database's clock. Returns the lease; null when the endpoint is gone. A replica that was paused after
   * the update may find its lease ended, and removed by another one: it has no tries.
   */
  async leaseTries(id: string, request: TryRequest): Promise<TryLease | null> {
    const isLeased = await this.update(delivering, { _id: id, ...IN_SLOT }, leasing(request));
    const found = isLeased ? await this.view(delivering, id) : null;
    const { replica } = request;
    return (
      found && (found.tryLeases?.find((each) => each.replica === replica) ?? { replica, count: 0, until: LONG_AGO })
    );
  }

  /** Ends the leases of a replica. */
  async returnTries(ids: readonly string[], replica: string): Promise<void> {
    const update = { $pull: { tryLeases: { replica } } };
    await this.updateEach(
      delivering,
      ids.map((id) => ({ filter: { _id: id, ...IN_SLOT }, update })),
    );
  }

  /** Removes all endpoints of an account, or those made before an instant. */
  async removeAllOf(accountId: string, before?: Date): Promise<void> {
    const made = before ? { createdAt: { $lt: before } } : {};
    for (const { _id } of await this.findMany(delivering, { accountId, ...IN_SLOT, ...made }))
      await this.remove(delivering, { _id, accountId });
  }

  private findOfAccount({ principal: { env, accountId } }: RequestContext): Promise<WebhookEndpointDocument[]> {
    return this.findMany({ env, accountId }, { accountId, ...IN_SLOT }, { slot: 1 });
  }
}

/** The update that replaces a replica's lease, beside those of others that have not ended. */
function leasing({ replica, needed, most, leaseMs }: TryRequest): object[] {
  const isValid = { $and: [{ $ne: ['$$each.replica', replica] }, { $gt: ['$$each.until', '$$NOW'] }] };
  const others = { $filter: { input: { $ifNull: ['$tryLeases', []] }, as: 'each', cond: isValid } };
  const left = { $subtract: [most, { $sum: '$tryLeases.count' }] };
  const own = {
    replica: { $literal: replica },
    count: { $max: [0, { $min: [needed, left] }] },
    until: { $add: ['$$NOW', leaseMs] },
  };
  return [{ $set: { tryLeases: others } }, { $set: { tryLeases: { $concatArrays: ['$tryLeases', [own]] } } }];
}

function freeSlot(taken: readonly number[]): number | undefined {
  const slots = Array.from({ length: MOST_WEBHOOK_ENDPOINTS }, (_, slot) => slot);
  const free = slots.filter((slot) => !taken.includes(slot));
  // Not the first: concurrent requests would all try the same.
  return free[Math.floor(Math.random() * free.length)];
}
