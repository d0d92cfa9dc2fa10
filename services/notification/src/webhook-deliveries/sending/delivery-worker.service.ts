import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { currentEnvironment, inEnvironment, LOGGER, type Logger, sharedClock } from '@swim/platform';
import { type EventContent, StoredEventsService } from '../../events/stored-events.service.js';
import { WebhookTargetsService } from '../../webhook-endpoints/webhook-targets.service.js';
import { type Claim, WebhookDeliveriesRepository } from '../webhook-deliveries.repository.js';
import type { WebhookDeliveryDocument } from '../webhook-delivery.schema.js';
import { type DeliveryJob, DeliveryQueue, type Lane } from './delivery-queue.js';
import { DeliveryResultsService } from './delivery-results.service.js';
import { MOST_TRIES_AT_ONCE, TryLeasesService } from './try-leases.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

const LIMITS = {
  inFlightOfEndpoint: MOST_TRIES_AT_ONCE,
  inFlight: 128,
  slow: 128,
  open: 512,
  waitingOfEndpoint: 64,
  waitingOfSlow: 8,
  waitingOfAllSlow: 2_048,
  jobs: 4_096,
};
/** A try that takes longer is slow. */
const SLOW_AFTER_MS = 2_000;
const LEASE_MS = 40_000;
/** A try starts only if the lease lasts longer than the try may take. */
const LEAST_LEASE_MS = 17_000;
const ENDS_WITHIN_MS = 3_000;

/**
 * Sends the deliveries that this replica has claimed. A lease outlives each try; a replica that was paused longer sends nothing
 * of it any more, and its results are not stored.
 */
@Injectable()
export class DeliveryWorkerService implements BeforeApplicationShutdown {
  @Inject(LOGGER) private readonly logger!: Logger;
  @Inject(TryLeasesService) private readonly leases!: TryLeasesService;
  private readonly queue = new DeliveryQueue(LIMITS, {
    countOf: (endpointId) => this.leases.countOf(endpointId),
    onShort: (env, endpointId, needed) => inEnvironment(env, () => this.requestMore(endpointId, needed)),
  });
  private isEnding = false;
  /** Ends the tries in progress. */
  private readonly cutOff = new AbortController();
  private readonly endListeners: ((job: DeliveryJob) => void)[] = [];

  constructor(
    private readonly events: StoredEventsService,
    private readonly targets: WebhookTargetsService,
    private readonly sender: WebhookSenderService,
    private readonly results: DeliveryResultsService,
    private readonly deliveries: WebhookDeliveriesRepository,
  ) {}

  /** A claim for deliveries that are sent within its lease. */
  newClaim(): Claim {
    return { token: randomUUID(), until: sharedClock.inMs(LEASE_MS) };
  }

  /** Leases what this replica lacks for so many more deliveries to each of these endpoints. */
  async prepare(counts: ReadonlyMap<string, number>): Promise<void> {
    const requests = [...counts].flatMap(([endpointId, more]) => {
      const needed = this.queue.neededOf(endpointId, more);
      return needed > this.leases.countOf(endpointId) ? this.leases.request(endpointId, needed) : [];
    });
    await Promise.all(requests);
  }

  /** How many more deliveries to an endpoint this replica takes: none without a lease for a try. */
  capacity(endpointId: string, lane: Lane = 'fresh'): number {
    return this.mayTry(endpointId) ? this.queue.capacity(endpointId, lane) : 0;
  }

  /** As `capacity` for waiting deliveries, but 0 until it pays to claim some. */
  capacityForMany(endpointId: string): number {
    return this.mayTry(endpointId) ? this.queue.capacityForMany(endpointId, 'backlog') : 0;
  }

  /** Calls a function whenever a try has ended. */
  onEnd(listener: (job: DeliveryJob) => void): void {
    this.endListeners.push(listener);
  }

  /** Sends claimed deliveries as soon as their endpoints have their turn. */
  async enqueue(claimed: readonly WebhookDeliveryDocument[], lane: Lane = 'fresh'): Promise<void> {
    const stored = claimed.filter(({ body }) => body === undefined).map(({ eventId }) => eventId);
    const contents = stored.length > 0 ? await this.events.findContents(stored) : new Map<string, EventContent>();
    for (const document of claimed) {
      const content = contents.get(document.eventId);
      const body = document.body ?? content?.body;
      const job = jobOf(document, body ?? '', content?.traceparent ?? null);
      if (body === undefined) this.results.abandon(job, 'The event is no longer kept.');
      else this.queue.add(job, lane);
    }
    this.startAll();
  }

  /** Ends in order: what waits is left to other replicas, what is in progress gets a few seconds. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    for (const [env, jobs] of Map.groupBy(this.queue.drain(), (job) => job.env))
      await inEnvironment(env, () => this.giveBack(jobs));
    const endsAtMs = performance.now() + ENDS_WITHIN_MS;
    while (this.queue.inFlight > 0 && performance.now() < endsAtMs) await pause(20);
    this.cutOff.abort();
    await this.results.end(ENDS_WITHIN_MS);
    await this.leases
      .end()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'leases of webhook endpoints not returned'));
  }

  private mayTry(endpointId: string): boolean {
    return !this.isEnding && this.leases.countOf(endpointId) > 0;
  }

  // Other replicas have all tries: what waits is left to them.
  private requestMore(endpointId: string, needed: number): void {
    const isHeld = this.leases.countOf(endpointId) > 0;
    if (this.isEnding || (isHeld && !this.leases.mayRequest(endpointId))) return;
    void this.leases
      .request(endpointId, needed)
      .catch((error: unknown) => this.logger.warn({ err: error, objectId: endpointId }, 'no lease of tries'))
      .then(() => this.giveBack(this.queue.applyAllowance(endpointId)))
      .then(() => this.startAll());
  }

  // When it fails, the leases end, and the deliveries are due again.
  private async giveBack(jobs: readonly DeliveryJob[]): Promise<void> {
    this.queue.release(jobs.length);
    if (jobs.length === 0) return;
    await this.deliveries
      .release(jobs)
      .catch((error: unknown) => this.logger.warn({ err: error, count: jobs.length }, 'deliveries not given back'));
  }

  private startAll(): void {
    if (this.isEnding) return;
    for (let job = this.queue.start(); job; job = this.queue.start()) void inEnvironment(job.env, () => this.run(job));
  }

  private async run(job: DeliveryJob): Promise<void> {
    const slow = setTimeout(() => void this.giveWay(job), SLOW_AFTER_MS);
    try {
      await this.attempt(job);
    } catch (error) {
      // The lease ends, and the delivery is due again.
      this.logger.warn({ err: error, objectId: job.id, eventId: job.eventId }, 'delivery not tried');
      this.queue.release(1);
    } finally {
      clearTimeout(slow);
      this.queue.end(job);
      for (const listener of this.endListeners) listener(job);
      this.startAll();
    }
  }

  // Others start in its place, and what waits behind it takes little memory.
  private async giveWay(job: DeliveryJob): Promise<void> {
    const surplus = this.queue.markSlow(job);
    this.startAll();
    await this.giveBack(surplus);
  }

  private async attempt(job: DeliveryJob): Promise<void> {
    const release = () => this.queue.release(1);
    if (!isLeased(job)) return this.giveBack([job]);
    const target = await this.targets.findForDelivery(job.endpointId);
    if (!target) return this.results.remove(job, release);
    if (!target.enabled) return this.results.abandon(job, 'The endpoint is disabled.', release);
    // The look-up may have taken long.
    if (!isLeased(job) || !this.leases.allows(job.endpointId)) return this.giveBack([job]);
    const now = sharedClock.now();
    const { url, signingKeys } = target;
    const { env, eventId: id, body, traceparent } = job;
    const request = { env, url, signingKeys, id, body, traceparent, now };
    const response = await this.sender.send(request, this.cutOff.signal);
    if (response.durationMs < SLOW_AFTER_MS) this.queue.markQuick(job.endpointId);
    if (this.cutOff.signal.aborted && response.statusCode === null) return this.giveBack([job]);
    await this.results.add({ job, target, at: now, response }, release);
  }
}

/** Whether another replica cannot take the delivery over before a try of it ends. */
const isLeased = ({ leasedUntil }: DeliveryJob): boolean =>
  leasedUntil.getTime() - sharedClock.nowMs() >= LEAST_LEASE_MS;

function jobOf(document: WebhookDeliveryDocument, body: string, traceparent: string | null): DeliveryJob {
  const { _id: id, accountId, endpointId, eventId, type, tries, dueAt } = document;
  const env = currentEnvironment();
  return { env, id, accountId, endpointId, eventId, type, tries, leasedUntil: dueAt!, body, traceparent };
}
