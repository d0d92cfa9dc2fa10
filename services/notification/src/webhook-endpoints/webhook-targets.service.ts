import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { WEBHOOK_DISABLED_REASONS } from '@swim/contracts';
import { webhookEndpointDisabled } from '@swim/contracts';
import type { AccountClock } from '@swim/mongo';
import { Clock, currentEnvironment, type RequestContext, systemContext } from '@swim/platform';
import type { TryDays } from './try-days.rules.js';
import { toWebhookEndpoint } from './webhook-endpoint.mapper.js';
import type { TryLease, WebhookEndpointDocument, WebhookReplay } from './webhook-endpoint.schema.js';
import { type TryRequest, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';

/** A change of an endpoint takes effect on deliveries within this time. */
const CACHED_MS = 1_000;
const MOST_CACHED = 5_000;

/** Where and how deliveries are sent. */
export interface WebhookTarget {
  id: string;
  accountId: string;
  url: string;
  enabled: boolean;
  /** The keys that sign now, the current one first. */
  signingKeys: readonly KeyObject[];
  /** How its last day with tries went; null before the first. */
  days: TryDays | null;
}

/** An endpoint that receives events. */
export type ReceivingEndpoint = Pick<WebhookEndpointDocument, '_id' | 'accountId' | 'events' | 'createdAt'>;

/** An endpoint with a replay in progress. */
export type ReplayingEndpoint = Pick<WebhookEndpointDocument, '_id' | 'accountId' | 'replay'>;

/** The endpoints as deliveries need them: which receive an event, their addresses, and how one that fails is disabled. */
@Injectable()
export class WebhookTargetsService {
  private readonly cache = new Map<string, { target: Promise<WebhookTarget | null>; untilMs: number }>();

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly clock: Clock,
  ) {}

  /** The enabled endpoints of these accounts, as they are now: none is missed that was made before the call. */
  findReceiving(accountIds: readonly string[]): Promise<ReceivingEndpoint[]> {
    return this.endpoints.findEnabled(accountIds);
  }

  /** A target, at most a second old; null when the endpoint does not exist. Calls of one moment share a query. */
  find(id: string): Promise<WebhookTarget | null> {
    const key = `${currentEnvironment()}|${id}`;
    const known = this.cache.get(key);
    if (known && known.untilMs > performance.now()) return known.target;
    const target = this.load(id);
    this.cache.delete(key);
    this.cache.set(key, { target, untilMs: performance.now() + CACHED_MS });
    target.catch(() => this.cache.delete(key));
    if (this.cache.size > MOST_CACHED) this.cache.delete(this.cache.keys().next().value!);
    return target;
  }

  /**
   * As `find`, for a delivery: that an endpoint is disabled or gone is never cached. The delivery ends for good then, though it may be of
   * an event since the endpoint was enabled again.
   */
  async findForDelivery(id: string): Promise<WebhookTarget | null> {
    const known = await this.find(id);
    if (known?.enabled) return known;
    this.forget(id);
    return this.find(id);
  }

  /** Forgets what is cached of an endpoint. */
  forget(id: string): void {
    this.cache.delete(`${currentEnvironment()}|${id}`);
  }

  /** Records how the last day of an endpoint goes; without effect once it has another URL, or another try was recorded first. */
  async markDays(target: WebhookTarget, days: TryDays): Promise<void> {
    const read = target.days;
    // The target is shared by the tries of a moment: what the first of them changes is not written by the others.
    target.days = days;
    await this.endpoints.markDays(target, read, days);
    this.forget(target.id);
  }

  /** Leases tries to an endpoint to a replica; null when the endpoint is gone. See the repository. */
  leaseTries(id: string, request: TryRequest): Promise<TryLease | null> {
    return this.endpoints.leaseTries(id, request);
  }

  /** Ends the leases of a replica for tries to these endpoints. */
  returnTries(ids: readonly string[], replica: string): Promise<void> {
    return this.endpoints.returnTries(ids, replica);
  }

  /** Applies the clock of a test account, advanced from an offset, to the days of its endpoints. */
  applyClock(clock: AccountClock, fromMs: number): Promise<void> {
    return this.endpoints.applyClock(clock, fromMs);
  }

  /**
   * Disables an endpoint, with an event. Without effect when it is disabled or gone, has another URL than the target, or, for
   * `failing`, another try was recorded since the target was read: one that began before a success may end after it.
   */
  async disable(
    { id, accountId, url, days }: WebhookTarget,
    reason: (typeof WEBHOOK_DISABLED_REASONS)[number],
  ): Promise<void> {
    const decide = (now: WebhookEndpointDocument) => {
      const isAsRead = isDeepStrictEqual(now.days ?? null, days);
      if (!now.enabled || now.url !== url || (reason === 'failing' && !isAsRead)) return null;
      const set = { enabled: false, disabledReason: reason, days: null };
      return { set, events: [{ type: webhookEndpointDisabled, object: toDisabledObject }] };
    };
    try {
      await this.endpoints.changeAny(systemContext(accountId), id, decide);
    } finally {
      // Also after a failure, of which it is not known whether it came before the change.
      this.forget(id);
    }
  }

  /**
   * Starts a replay of so many events, unless this is a dry run; false while another one is in progress. Throws
   * `resource_not_found`.
   */
  async startReplay(context: RequestContext, id: string, replay: WebhookReplay, replayed: number): Promise<boolean> {
    let isFree = true;
    const answer = () => replayed;
    await this.endpoints.change(context, id, (now) => {
      isFree = !now.replay;
      return isFree && !context.dryRun ? { set: { replay }, unseen: true, answer } : null;
    });
    return isFree;
  }

  /** How many events the replay has that an earlier run of the request started; undefined without one. */
  async findReplayed(context: RequestContext, id: string): Promise<number | undefined> {
    return (await this.endpoints.findEarlierAnswer(context, id)) as number | undefined;
  }

  /** The endpoints with a replay in progress, at most `limit`. */
  findReplaying(limit: number): Promise<ReplayingEndpoint[]> {
    return this.endpoints.findReplaying(limit);
  }

  /** Moves a replay on to a sequence, or ends it. A replay that is further already stays. */
  moveReplay(id: string, replay: WebhookReplay, position: number | null): Promise<void> {
    return this.endpoints.moveReplay(id, replay, position);
  }

  private async load(id: string): Promise<WebhookTarget | null> {
    const found = await this.endpoints.findAny(id);
    if (!found) return null;
    const { accountId, url, enabled, days = null } = found;
    const signingKeys = await this.secrets.signingKeys(found, this.clock.now());
    return { id, accountId, url, enabled: enabled && signingKeys.length > 0, signingKeys, days };
  }
}

function toDisabledObject(after: WebhookEndpointDocument) {
  const { description: _, metadata: __, ...object } = toWebhookEndpoint(after);
  return object;
}
