import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { counter, inEnvironment, LOGGER, type Logger, sharedClock } from '@swim/platform';
import { daysAfter, isDisabledBy } from '../../webhook-endpoints/try-days.rules.js';
import { WebhookSecretsService } from '../../webhook-endpoints/webhook-secrets.service.js';
import { type WebhookTarget, WebhookTargetsService } from '../../webhook-endpoints/webhook-targets.service.js';
import { isDelivered, isGone, outcomeOf } from '../delivery.rules.js';
import { type StoredResult, WebhookDeliveriesRepository } from '../webhook-deliveries.repository.js';
import type { DeliveryJob } from './delivery-queue.js';
import type { WebhookResponse } from './webhook-sender.service.js';

/** Tries of webhook deliveries by outcome: `succeeded`, `retried`, `failed`. */
const webhookAttemptsTotal = counter({
  name: 'swim_webhook_attempts_total',
  help: 'Tries of webhook deliveries by outcome',
  labelNames: ['outcome'],
});

const BATCH = 128;
const GATHER_MS = 15;
const RETRY_MS = 500;

/** A try that has ended. */
export interface EndedTry {
  job: DeliveryJob;
  target: WebhookTarget;
  /** When it began. */
  at: Date;
  response: WebhookResponse;
}

interface Pending {
  job: DeliveryJob;
  /** Absent when the delivery is to be removed. */
  result?: StoredResult;
  release: () => void;
}

const nothing = (): void => undefined;

/**
 * Stores the results of deliveries, in batches: one command for many. While the database is away the results wait, and with
 * them the memory that their deliveries take, so that no more are sent than can be stored.
 */
@Injectable()
export class DeliveryResultsService {
  private waiting: Pending[] = [];
  private flushing: Promise<void> | undefined;
  private isEnded = false;
  /** Targets whose endpoints a try has begun to disable. */
  private readonly disabling = new WeakSet<WebhookTarget>();

  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly targets: WebhookTargetsService,
    private readonly secrets: WebhookSecretsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds the result of a try; `release` is called once it is stored. */
  async add({ job, target, at, response }: EndedTry, release: () => void): Promise<void> {
    const tries = job.tries + 1;
    const outcome = outcomeOf(response, tries, new Date(at.getTime() + response.durationMs), Math.random());
    webhookAttemptsTotal.inc({ outcome: outcome.kind });
    const { statusCode, durationMs, error, body } = response;
    const sealed = body && (await this.secrets.sealResponse(job, body));
    this.push({
      job,
      release,
      result: {
        job,
        tries,
        attempt: { at, statusCode, durationMs, error, response: sealed || null },
        status: outcome.kind === 'retried' ? 'pending' : outcome.kind,
        ...(outcome.kind === 'retried' ? { dueAt: outcome.dueAt } : {}),
      },
    });
    await this.assess(target, { job, at, response }).catch((failure: unknown) =>
      this.logger.warn({ err: failure, objectId: target.id }, 'failures of an endpoint not recorded'),
    );
  }

  /** Ends a delivery without a try. */
  abandon(job: DeliveryJob, error: string, release: () => void = nothing): void {
    const attempt = { at: sharedClock.now(), statusCode: null, durationMs: 0, error, response: null };
    this.push({ job, release, result: { job, tries: job.tries, attempt, status: 'failed' } });
  }

  /** Removes a delivery to an endpoint that does not exist. */
  remove(job: DeliveryJob, release: () => void = nothing): void {
    this.push({ job, release });
  }

  /** Resolves when all results are stored, or after a time; what is not stored by then is tried again by others. */
  async end(withinMs: number): Promise<void> {
    await Promise.race([this.flushing, pause(withinMs, undefined, { ref: false })]);
    this.isEnded = true;
  }

  private push(pending: Pending): void {
    this.waiting.push(pending);
    this.flushing ??= this.storeAll().finally(() => {
      this.flushing = undefined;
    });
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < BATCH) await pause(GATHER_MS);
      const batch = this.waiting.splice(0, BATCH);
      while (!(await this.tryStore(batch))) await pause(RETRY_MS);
      for (const { release } of batch) release();
    }
  }

  /** False when it has to be tried again. After their leases results are useless: the deliveries are tried by others. */
  private async tryStore(batch: readonly Pending[]): Promise<boolean> {
    try {
      for (const [env, own] of Map.groupBy(batch, ({ job }) => job.env)) {
        const results = own.flatMap(({ result }) => result ?? []);
        const gone = own.filter(({ result }) => !result).map(({ job }) => job.id);
        await inEnvironment(env, async () => {
          if (results.length > 0) await this.deliveries.record(results);
          if (gone.length > 0) await this.deliveries.removeAll(gone);
        });
      }
      return true;
    } catch (error) {
      this.logger.warn({ err: error, count: batch.length }, 'results of deliveries not stored yet');
      return this.isEnded || batch.every(({ job }) => job.leasedUntil < sharedClock.now());
    }
  }

  private async assess(target: WebhookTarget, { at, response }: Omit<EndedTry, 'target'>): Promise<void> {
    if (!target.enabled || this.disabling.has(target)) return;
    const isFailing = !isDelivered(response) && isDisabledBy(target.days, at);
    if (isGone(response) || isFailing) {
      this.disabling.add(target);
      return this.targets.disable(target, isGone(response) ? 'gone' : 'failing');
    }
    const days = daysAfter(target.days, at, isDelivered(response));
    if (days) await this.targets.markDays(target, days);
  }
}
