import { setTimeout as pause } from 'node:timers/promises';
import { PeriodicPerEnvironment } from '@swim/mongo';
import {
  AppError,
  currentEnvironment,
  Deadline,
  gauge,
  isServerFault,
  type Logger,
  type RequestContext,
  within,
} from '@swim/platform';
import type { SteppedRepository } from './stepped.repository.js';
import type { Stepped } from './stepped.schema.js';

/** Age of the oldest payment or refund in progress, in seconds; 0 without any. */
const paymentOldestSeconds = gauge({
  name: 'swim_payment_oldest_seconds',
  help: 'Age of the oldest payment or refund in progress',
  labelNames: ['kind', 'env'],
});

/** Payments or refunds in progress, by environment; counted up to 1 000. */
const paymentBacklog = gauge({
  name: 'swim_payment_backlog',
  help: 'Payments and refunds in progress, counted up to 1000',
  labelNames: ['kind', 'env'],
});

const POLL_MS = 50;
/** Reserved for the response before the deadline, in ms. */
const ANSWER_MARGIN_MS = 1_000;
/** Reserved for storing a result before the deadline, in ms. */
const STORE_MARGIN_MS = 500;
const MOST_SETTLING_MS = 3_000;
const MEASURE_MS = 10_000;

/** The remaining time of a request, less what storing a result takes; at most `mostMs`. */
const sooner = ({ deadline }: RequestContext, mostMs: number): number =>
  Math.max(Math.min(mostMs, deadline.remainingMs() - STORE_MARGIN_MS), 1);

const outcomeUnknown = (): AppError => new AppError('unavailable', { retryAfterSeconds: 1 });

/** What a run works with. */
interface Dependencies<D extends Stepped> {
  kind: 'payment' | 'refund';
  documents: SteppedRepository<D>;
  logger: Logger;
  /** How long the processor has for an answer. */
  processorTimeoutMs: number;
}

/**
 * Runs the steps of documents. Any process may repeat a step; its result is stored before the next one begins. A step with an
 * unknown outcome stays and is retried.
 */
export abstract class StepRun<D extends Stepped> {
  private readonly kind: 'payment' | 'refund';
  private readonly documents: SteppedRepository<D>;
  private readonly processorTimeoutMs: number;
  protected readonly logger: Logger;

  protected constructor({ kind, documents, logger, processorTimeoutMs }: Dependencies<D>) {
    this.kind = kind;
    this.documents = documents;
    this.logger = logger;
    this.processorTimeoutMs = processorTimeoutMs;
  }

  /** The document after its current step, at the same step when that has no result yet; null for a superseded run. */
  protected abstract takeStep(document: D, context: RequestContext): Promise<D | null>;

  /**
   * Runs a document that this request has stored. One that another run of the request stored is resumed (see `rejoin`): two runs
   * with one attempt would not fence each other off.
   */
  async begin(document: D, shownAt: D['step'], context: RequestContext): Promise<D> {
    if (document.rev === 1 && document.attempt === context.attempt) return this.advance(document, context);
    const resumed = await this.rejoin(document._id, shownAt, context);
    if (!resumed) throw outcomeUnknown();
    return resumed;
  }

  /**
   * Continues from the current step as far as possible, and returns the document as it is then. Throws the booking's rejection,
   * or the error of the request to it.
   */
  async advance(document: D, context: RequestContext): Promise<D> {
    let now = document;
    for (;;) {
      const after = await this.takeStep(now, context);
      if (!after) return this.asStoredByAnother(document._id);
      if (after.step === now.step || after.step === 'withdraw' || after.step === 'done') return after;
      now = after;
    }
  }

  /**
   * Resumes an earlier run of the same request, as long as the document is pending: takes it over once its lease has ended, and
   * waits while it has not. At the deadline the document is returned only at the step `shownAt`, from which on it exists for
   * clients. Null when there is nothing to resume.
   */
  async rejoin(id: string, shownAt: D['step'], context: RequestContext): Promise<D | null> {
    for (;;) {
      const now = await this.documents.findById(id);
      if (now?.status !== 'pending' || now.rejection !== null) return now;
      const taken = await this.documents.unfinished.take(now);
      if (taken) return this.advance(taken, context);
      if (context.deadline.remainingMs() > ANSWER_MARGIN_MS) await pause(POLL_MS);
      else if (now.step === shownAt) return now;
      else throw outcomeUnknown();
    }
  }

  /** Publishes the backlog as metrics, so that a processor or booking that is away is noticed. */
  @PeriodicPerEnvironment('steps backlog', MEASURE_MS)
  async measure(): Promise<void> {
    const labels = { kind: this.kind, env: currentEnvironment() };
    const { count, oldestSeconds } = await this.documents.backlog();
    paymentBacklog.set(labels, count);
    paymentOldestSeconds.set(labels, oldestSeconds);
  }

  /** Has the booking reserve the money, by `work`, which also stores that. A rejected document does not stay. */
  protected async reserveBy(document: D, context: RequestContext, work: () => Promise<D | null>): Promise<D | null> {
    try {
      return await work();
    } catch (error) {
      if (!isServerFault(error)) return this.reject(document, error as AppError, context);
      await this.documents.putOff(document, context);
      throw error;
    }
  }

  /** The processor's answer; `unknown` when there is none in time. */
  protected async atProcessor<O>(
    { _id: objectId, attempt, step }: D,
    context: RequestContext,
    work: () => Promise<O>,
  ): Promise<O | { status: 'unknown' }> {
    try {
      return await within(work(), sooner(context, this.processorTimeoutMs));
    } catch (error) {
      this.logger.warn({ err: error, objectId, attempt, step }, 'no response from the processor');
      return { status: 'unknown' };
    }
  }

  /** Sends the booking the outcome, by `work`; it is repeated until the booking has stored it. */
  protected async settleBy(
    document: D,
    context: RequestContext,
    work: (context: RequestContext) => Promise<void>,
  ): Promise<D | null> {
    try {
      await work({ ...context, deadline: new Deadline(sooner(context, MOST_SETTLING_MS)) });
    } catch (error) {
      const { _id: objectId, bookingId, attempt, step } = document;
      const fields = { err: error, objectId, bookingId, attempt, step };
      if (isServerFault(error)) this.logger.warn(fields, 'the booking has not stored the outcome yet');
      else this.logger.error(fields, 'the booking rejects the outcome');
      return this.documents.putOff(document, context);
    }
    return this.documents.markSettled(document, context);
  }

  /** The document as another run has stored it so far; without a reservation or a rejection, no client has seen it. */
  private async asStoredByAnother(id: string): Promise<D> {
    const now = await this.documents.findById(id);
    if (!now || (now.step === 'reserve' && now.rejection === null)) throw outcomeUnknown();
    return now;
  }

  private async reject(document: D, rejection: AppError, context: RequestContext): Promise<D | null> {
    // A request of an earlier attempt may still reach the booking: until it cannot, the rejected document must stay stored.
    if (document.attempt > 1) return this.documents.markRejected(document, JSON.stringify(rejection.toBody()), context);
    if (!(await this.documents.removeRejected(document))) return null;
    throw rejection;
  }
}
