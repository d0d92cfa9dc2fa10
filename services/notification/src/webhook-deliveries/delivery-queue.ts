import type { Environment } from '@swim/contracts';

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
}

/** New events come before what has waited: a backlog does not delay them. */
export type Lane = 'fresh' | 'backlog';

/** Bounds of a queue. */
export interface QueueLimits {
  /** Tries in progress for one endpoint. */
  inFlightOfEndpoint: number;
  /** Tries in progress of all. */
  inFlight: number;
  /** Waiting jobs of one endpoint, in each lane. */
  waitingOfEndpoint: number;
  /** Jobs of all, waiting or not yet released. */
  jobs: number;
}

interface Line {
  readonly lanes: Record<Lane, DeliveryJob[]>;
  inFlight: number;
}

/**
 * The jobs of a replica. Endpoints take turns, so that none delays another: each has a bounded number of jobs in memory and of
 * tries in progress.
 */
export class DeliveryQueue {
  private readonly lines = new Map<string, Line>();
  /** Endpoints that have a job to start and may start it, in the order of their turns. */
  private readonly turns = new Set<string>();
  private inFlightCount = 0;
  private jobCount = 0;

  constructor(private readonly limits: QueueLimits) {}

  /** Jobs in memory: waiting, in progress, or done and not yet released. */
  get size(): number {
    return this.jobCount;
  }

  get inFlight(): number {
    return this.inFlightCount;
  }

  /** How many more jobs of an endpoint a lane takes. */
  room(endpointId: string, lane: Lane): number {
    const waiting = this.lines.get(endpointId)?.lanes[lane].length ?? 0;
    return Math.max(0, Math.min(this.limits.waitingOfEndpoint - waiting, this.limits.jobs - this.jobCount));
  }

  /** Adds a job, which `release` removes again. The caller has asked for `room`. */
  add(job: DeliveryJob, lane: Lane): void {
    const line = this.lines.get(job.endpointId) ?? { lanes: { fresh: [], backlog: [] }, inFlight: 0 };
    this.lines.set(job.endpointId, line);
    line.lanes[lane].push(job);
    this.jobCount++;
    this.schedule(job.endpointId, line);
  }

  /** The next job to start, of the endpoint whose turn it is; undefined when none may start. */
  start(): DeliveryJob | undefined {
    if (this.inFlightCount >= this.limits.inFlight) return undefined;
    const [endpointId] = this.turns;
    if (endpointId === undefined) return undefined;
    const line = this.lines.get(endpointId)!;
    const job = line.lanes.fresh.shift() ?? line.lanes.backlog.shift()!;
    line.inFlight++;
    this.inFlightCount++;
    this.turns.delete(endpointId);
    this.schedule(endpointId, line);
    return job;
  }

  /** Ends a try: the endpoint may have another one. */
  end({ endpointId }: DeliveryJob): void {
    const line = this.lines.get(endpointId)!;
    line.inFlight--;
    this.inFlightCount--;
    this.schedule(endpointId, line);
    if (line.inFlight === 0 && waitingIn(line) === 0) this.lines.delete(endpointId);
  }

  /** Releases the memory of jobs whose result is stored, or that were given up. */
  release(count: number): void {
    this.jobCount -= count;
  }

  /** Takes out all jobs that have not started. */
  drain(): DeliveryJob[] {
    const waiting = [...this.lines.values()].flatMap(({ lanes }) => [
      ...lanes.fresh.splice(0),
      ...lanes.backlog.splice(0),
    ]);
    this.turns.clear();
    return waiting;
  }

  private schedule(endpointId: string, line: Line): void {
    if (waitingIn(line) > 0 && line.inFlight < this.limits.inFlightOfEndpoint) this.turns.add(endpointId);
    else this.turns.delete(endpointId);
  }
}

const waitingIn = ({ lanes }: Line): number => lanes.fresh.length + lanes.backlog.length;
