import type { Environment } from '@swim/contracts';
import { Recent } from '@swim/platform';
import { Turns } from './turns.js';

/** A delivery that this replica has claimed. */
export interface DeliveryJob {
  env: Environment;
  id: string;
  accountId: string;
  endpointId: string;
  eventId: string;
  type: string;
  /** Tries by the table of retries so far. */
  tries: number;
  /** The end of the lease, as `dueAt` is stored. */
  leasedUntil: Date;
  body: string;
  /** The trace that the event belongs to; null without one. */
  traceparent: string | null;
}

/** New events come before what has waited: a backlog does not delay them. */
export type Lane = 'fresh' | 'backlog';

/** Bounds of a queue. */
export interface QueueLimits {
  /** Tries in progress for one endpoint. */
  inFlightOfEndpoint: number;
  /** Tries in progress of all, without the slow ones. */
  inFlight: number;
  /** Slow tries in progress of all: endpoints whose last try was slow start none beyond it. */
  slow: number;
  /** Tries in progress of all, slow or not. */
  open: number;
  /** Waiting jobs of one endpoint, in each lane. */
  waitingOfEndpoint: number;
  /** The same of an endpoint whose last try was slow. */
  waitingOfSlow: number;
  /** Waiting jobs of all endpoints whose last try was slow: however many hang, they leave memory for the others. */
  waitingOfAllSlow: number;
  /** Jobs of all, waiting or not yet released. */
  jobs: number;
}

/** How many tries to an endpoint may be in progress, at most those of the limits. */
export interface Allowance {
  countOf(endpointId: string): number;
  /**
   * Called when an endpoint has more to send than it may; at most `needed` tries would be in progress. Must not call back at once.
   */
  onShort(env: Environment, endpointId: string, needed: number): void;
}

interface Line {
  readonly env: Environment;
  readonly accountId: string;
  readonly lanes: Record<Lane, DeliveryJob[]>;
  inFlight: number;
  /** The pace by which its waiting jobs are counted. */
  pace: Pace;
}

type Pace = 'quick' | 'slow';

const REMEMBERED_ENDPOINTS = 20_000;

/**
 * The jobs of a replica. Accounts take turns, and the endpoints of each, so that none delays another: each endpoint has a bounded
 * number of jobs in memory and of tries in progress. Slow tries have a bound of their own, however many endpoints hang: they take
 * no place of a quick one, and an endpoint is slow until a try of it ends quickly.
 */
export class DeliveryQueue {
  private readonly lines = new Map<string, Line>();
  /** Endpoints that have a job to start and may start it. */
  private readonly turns: Record<Pace, Turns> = { quick: new Turns(), slow: new Turns() };
  /** Endpoints whose last try was slow. */
  private readonly slow = new Recent<true>(REMEMBERED_ENDPOINTS);
  /** Tries in progress, as they are counted. */
  private readonly started = new Map<DeliveryJob, Pace>();
  private slowCount = 0;
  /** Waiting jobs of slow endpoints. */
  private slowWaiting = 0;
  private jobCount = 0;

  constructor(
    private readonly limits: QueueLimits,
    private readonly allowance: Allowance,
  ) {}

  /** Jobs in memory: waiting, in progress, or done and not yet released. */
  get size(): number {
    return this.jobCount;
  }

  get inFlight(): number {
    return this.started.size;
  }

  /** How many more jobs of an endpoint a lane takes. */
  capacity(endpointId: string, lane: Lane): number {
    const waiting = this.lines.get(endpointId)?.lanes[lane].length ?? 0;
    const { jobs, waitingOfAllSlow } = this.limits;
    const leftForSlow = this.slow.get(endpointId) ? waitingOfAllSlow - this.slowWaiting : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(this.mostWaiting(endpointId) - waiting, jobs - this.jobCount, leftForSlow));
  }

  /**
   * As `capacity`, but 0 while a lane is less than half empty: jobs are then claimed many at a time. An endpoint that has none gets what
   * there is.
   */
  capacityForMany(endpointId: string, lane: Lane): number {
    const capacity = this.capacity(endpointId, lane);
    return this.lines.has(endpointId) && capacity * 2 < this.mostWaiting(endpointId) ? 0 : capacity;
  }

  /** Adds a job, which `release` removes again. The caller has checked `capacity`. */
  add(job: DeliveryJob, lane: Lane): void {
    const line = this.lines.get(job.endpointId) ?? newLine(job, this.paceOf(job.endpointId));
    this.lines.set(job.endpointId, line);
    line.lanes[lane].push(job);
    this.countWaiting(line, 1);
    this.jobCount++;
    this.schedule(job.endpointId, line);
  }

  /** The next job to start, of the endpoint whose turn it is; undefined when none may start. */
  start(): DeliveryJob | undefined {
    for (;;) {
      const endpointId = this.takeTurn();
      if (endpointId === undefined) return undefined;
      const line = this.lines.get(endpointId)!;
      // The allowance of the endpoint may have ended while the job waited.
      const job = this.mayStart(endpointId, line) && (line.lanes.fresh.shift() ?? line.lanes.backlog.shift());
      if (job) {
        line.inFlight++;
        this.countWaiting(line, -1);
        this.count(job, this.paceOf(endpointId));
      }
      this.schedule(endpointId, line);
      if (job) return job;
    }
  }

  /** How many tries to an endpoint would be in progress if all of its jobs, and so many more, could start. */
  neededOf(endpointId: string, more = 0): number {
    const line = this.lines.get(endpointId);
    return Math.min((line ? line.inFlight + waitingIn(line) : 0) + more, this.limits.inFlightOfEndpoint);
  }

  /** Applies what an endpoint is allowed now. Returns its waiting jobs, out of the queue, when that is nothing. */
  applyAllowance(endpointId: string): DeliveryJob[] {
    const line = this.lines.get(endpointId);
    if (!line) return [];
    if (this.allowance.countOf(endpointId) > 0) {
      this.schedule(endpointId, line);
      return [];
    }
    this.unschedule(endpointId, line);
    if (line.inFlight === 0) this.lines.delete(endpointId);
    return this.takeAll(line);
  }

  /**
   * Counts a try in progress as slow, and its endpoint with it. Returns the endpoint's waiting jobs beyond the bound of a slow
   * one, which are out of the queue and not yet released.
   */
  markSlow(job: DeliveryJob): DeliveryJob[] {
    const line = this.lines.get(job.endpointId);
    if (!line || !this.started.has(job)) return [];
    this.count(job, 'slow');
    this.slow.set(job.endpointId, true);
    this.setPace(line, 'slow');
    this.unschedule(job.endpointId, line);
    this.schedule(job.endpointId, line);
    const { waitingOfSlow } = this.limits;
    const surplus = [...line.lanes.fresh.splice(waitingOfSlow), ...line.lanes.backlog.splice(waitingOfSlow)];
    this.countWaiting(line, -surplus.length);
    return surplus;
  }

  /** Ends a try: the endpoint may have another one. */
  end(job: DeliveryJob): void {
    const { endpointId } = job;
    const line = this.lines.get(endpointId)!;
    line.inFlight--;
    if (this.started.get(job) === 'slow') this.slowCount--;
    this.started.delete(job);
    this.schedule(endpointId, line);
    if (line.inFlight === 0 && waitingIn(line) === 0) this.lines.delete(endpointId);
  }

  /** Ends the slowness of an endpoint: a try of it has ended quickly. */
  markQuick(endpointId: string): void {
    if (!this.slow.get(endpointId)) return;
    this.slow.forget(endpointId);
    const line = this.lines.get(endpointId);
    if (!line) return;
    this.setPace(line, 'quick');
    this.unschedule(endpointId, line);
    this.schedule(endpointId, line);
  }

  /** Releases the memory of jobs whose result is stored, or that were abandoned. */
  release(count: number): void {
    this.jobCount -= count;
  }

  /** Takes out all jobs that have not started. */
  drain(): DeliveryJob[] {
    const waiting = [...this.lines.values()].flatMap((line) => this.takeAll(line));
    this.turns.quick.clear();
    this.turns.slow.clear();
    return waiting;
  }

  private takeTurn(): string | undefined {
    if (this.started.size >= this.limits.open) return undefined;
    const quick = this.started.size - this.slowCount < this.limits.inFlight ? this.turns.quick.take() : undefined;
    return quick ?? (this.slowCount < this.limits.slow ? this.turns.slow.take() : undefined);
  }

  private mayStart(endpointId: string, line: Line): boolean {
    const most = Math.min(this.limits.inFlightOfEndpoint, this.allowance.countOf(endpointId));
    return waitingIn(line) > 0 && line.inFlight < most;
  }

  private schedule(endpointId: string, line: Line): void {
    if (this.mayStart(endpointId, line)) this.turns[this.paceOf(endpointId)].add(line.accountId, endpointId);
    else this.unschedule(endpointId, line);
    const needed = this.neededOf(endpointId);
    if (waitingIn(line) > 0 && needed > this.allowance.countOf(endpointId))
      this.allowance.onShort(line.env, endpointId, needed);
  }

  private unschedule(endpointId: string, { accountId }: Line): void {
    this.turns.quick.delete(accountId, endpointId);
    this.turns.slow.delete(accountId, endpointId);
  }

  private count(job: DeliveryJob, pace: Pace): void {
    if (pace === 'slow' && this.started.get(job) !== 'slow') this.slowCount++;
    this.started.set(job, pace);
  }

  private setPace(line: Line, pace: Pace): void {
    const waiting = waitingIn(line);
    this.countWaiting(line, -waiting);
    line.pace = pace;
    this.countWaiting(line, waiting);
  }

  private countWaiting({ pace }: Line, more: number): void {
    if (pace === 'slow') this.slowWaiting += more;
  }

  private takeAll(line: Line): DeliveryJob[] {
    const all = [...line.lanes.fresh.splice(0), ...line.lanes.backlog.splice(0)];
    this.countWaiting(line, -all.length);
    return all;
  }

  private paceOf(endpointId: string): Pace {
    return this.slow.get(endpointId) ? 'slow' : 'quick';
  }

  private mostWaiting(endpointId: string): number {
    return this.slow.get(endpointId) ? this.limits.waitingOfSlow : this.limits.waitingOfEndpoint;
  }
}

const newLine = ({ env, accountId }: DeliveryJob, pace: Pace): Line => ({
  env,
  accountId,
  lanes: { fresh: [], backlog: [] },
  inFlight: 0,
  pace,
});

const waitingIn = ({ lanes }: Line): number => lanes.fresh.length + lanes.backlog.length;
