import { Injectable } from '@nestjs/common';
import { type Environment, MOST_WEBHOOK_ENDPOINTS, type Page } from '@swim/contracts';
import {
  AggregateRepository,
  asSystem,
  type Changed,
  Databases,
  type Decision,
  type ListRequest,
  type Managed,
  OutboxRelay,
} from '@swim/mongo';
import { AppError, CursorCodec, type RequestContext } from '@swim/platform';
import { type WebhookEndpointDocument, webhookEndpointSchema } from './webhook-endpoint.schema.js';

const ALREADY_EXISTS = 'already_exists';

const delivering = (env: Environment) => asSystem(env, 'events are delivered for all accounts');

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
    return this.removeForGood({ env, accountId }, { _id: id });
  }

  /** The account's endpoints, newest first. */
  list(context: RequestContext, request: ListRequest): Promise<Page<WebhookEndpointDocument>> {
    const { accountId, env } = context.principal;
    const bound = { list: 'webhook endpoints', accountId, env, filters: {} };
    return this.page({ env, accountId }, { accountId }, { order: 'newest', request, cursors: this.cursors, bound });
  }

  /** Removes all endpoints of an account that is being erased. */
  async removeAllOf(env: Environment, accountId: string): Promise<void> {
    for (const { _id } of await this.findMany(delivering(env), { accountId }))
      await this.remove(delivering(env), { _id, accountId });
  }

  private findOfAccount({ principal: { env, accountId } }: RequestContext): Promise<WebhookEndpointDocument[]> {
    return this.findMany({ env, accountId }, { accountId }, { slot: 1 });
  }
}

function freeSlot(taken: readonly number[]): number | undefined {
  const slots = Array.from({ length: MOST_WEBHOOK_ENDPOINTS }, (_, slot) => slot);
  const free = slots.filter((slot) => !taken.includes(slot));
  // Not the first: concurrent requests would all try the same.
  return free[Math.floor(Math.random() * free.length)];
}
