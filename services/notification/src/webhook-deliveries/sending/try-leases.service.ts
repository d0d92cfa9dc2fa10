import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { currentEnvironment, inEnvironment, Recent, sharedClock } from '@swim/platform';
import { WebhookTargetsService } from '../../webhook-endpoints/webhook-targets.service.js';

/** Tries in progress to one endpoint, of all replicas together (contract, Events and webhooks: none delays another). */
export const MOST_TRIES_AT_ONCE = 4;
/** How long a crashed replica keeps its tries from the others. */
const LEASE_MS = 40_000;
/** So long before its end a lease is no longer used: a try lasts up to 15 s, and the clocks of processes differ a little. */
const UNUSED_MS = 16_000;
/** So much earlier no try is planned: it waits for its turn, and for its endpoint to be read. */
const PLANNED_MS = 2_000;
/** After a request that got fewer than it requested there is none for this long. */
const SHORT_MS = 1_000;
const REMEMBERED = 20_000;

/** What this replica knows of its lease for an endpoint. */
interface Held {
  env: Environment;
  count: number;
  untilMs: number;
  /** Until when there is no other request, by `performance.now()`. */
  shortUntilMs: number;
}

/**
 * The tries that this replica may have in progress at a time to each endpoint. Replicas lease them at the endpoint, as many as they
 * need, and together no more than MOST_TRIES_AT_ONCE. A lease is used for several tries, so that it costs few commands; it is not
 * returned but ends, except at shutdown. A replica that was paused finds its leases ended, and starts no try by them.
 */
@Injectable()
export class TryLeasesService {
  private readonly replica = randomUUID();
  private readonly held = new Recent<Held>(REMEMBERED);
  private readonly requests = new Map<string, Promise<number>>();

  constructor(private readonly targets: WebhookTargetsService) {}

  /** How many tries to an endpoint may be in progress, if another one is started soon. */
  countOf(endpointId: string): number {
    return this.countAt(endpointId, PLANNED_MS);
  }

  /** Whether a try to an endpoint that was planned may still begin now. */
  allows(endpointId: string): boolean {
    return this.countAt(endpointId, 0) > 0;
  }

  /** Whether it makes sense to request more tries for an endpoint: the latest request got all that it requested. */
  mayRequest(endpointId: string): boolean {
    const { shortUntilMs = 0 } = this.held.get(endpointId) ?? {};
    return shortUntilMs <= performance.now();
  }

  /**
   * Leases as many tries to an endpoint as are needed in all, or as many as others leave; returns how many this replica has then.
   * Requests for one endpoint at the same time are one.
   */
  request(endpointId: string, needed: number): Promise<number> {
    const env = currentEnvironment();
    if (!this.mayRequest(endpointId)) return Promise.resolve(this.countOf(endpointId));
    const open = this.requests.get(endpointId);
    if (open !== undefined) return open;
    const lease = this.lease(endpointId, Math.min(needed, MOST_TRIES_AT_ONCE))
      .catch((error: unknown) => {
        // The database is away: not at once again.
        const { count, untilMs } = this.held.get(endpointId) ?? { count: 0, untilMs: 0 };
        this.held.set(endpointId, { env, count, untilMs, shortUntilMs: performance.now() + SHORT_MS });
        throw error;
      })
      .finally(() => this.requests.delete(endpointId));
    this.requests.set(endpointId, lease);
    return lease;
  }

  /** Ends the leases of this replica, so that others need not wait. */
  async end(): Promise<void> {
    for (const env of ENVIRONMENTS) {
      const ids = this.held.keys().filter((id) => this.held.get(id)!.env === env && this.allows(id));
      if (ids.length > 0) await inEnvironment(env, () => this.targets.returnTries(ids, this.replica));
    }
  }

  private async lease(endpointId: string, needed: number): Promise<number> {
    const request = { replica: this.replica, needed, most: MOST_TRIES_AT_ONCE, leaseMs: LEASE_MS };
    const lease = await this.targets.leaseTries(endpointId, request);
    // Nothing is sent to an endpoint that is gone: its deliveries are removed.
    const { count, until } = lease ?? { count: needed, until: sharedClock.inMs(LEASE_MS) };
    const shortUntilMs = count < needed ? performance.now() + SHORT_MS : 0;
    this.held.set(endpointId, { env: currentEnvironment(), count, untilMs: until.getTime(), shortUntilMs });
    return this.countOf(endpointId);
  }

  private countAt(endpointId: string, inMs: number): number {
    const held = this.held.get(endpointId);
    return held && held.untilMs - sharedClock.now().getTime() >= UNUSED_MS + inMs ? held.count : 0;
  }
}
