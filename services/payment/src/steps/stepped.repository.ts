import {
  AggregateRepository,
  asSystem,
  type Databases,
  type Decision,
  type EnvironmentModels,
  type Filter,
  type Managed,
  type NewEvent,
  type OutboxRelay,
  type Scope,
  type Work,
} from '@swim/mongo';
import type { RequestContext } from '@swim/platform';
import type { Stepped } from './stepped.schema.js';

/** The transition that the certain result of a step causes; `status` only where it changes. */
interface Move {
  step: string;
  status?: string;
}

/** The results of steps that all documents have. */
type CommonResult = 'rejected' | 'settled';

/** The fields that a change sets. */
export type Changes<D extends Stepped> = Partial<Omit<D, Managed | '_id'>>;

const MOST_COUNTED = 1_000;

export const REASON = 'documents in progress have no readers yet';
export const system: Scope = asSystem(REASON);

/** What a repository of documents with steps works with. */
interface Dependencies<D> {
  /** Names the work on them. */
  name: string;
  databases: Databases;
  relay: OutboxRelay;
  models: EnvironmentModels<D>;
  /** How long a run has for a step before another one takes over. */
  leaseMs: number;
}

/**
 * Storage of documents that are the log of their own steps. Every write is conditional on `rev`, which a take-over increments: a
 * superseded run writes nothing and gets null.
 */
export abstract class SteppedRepository<
  D extends Stepped,
  Result extends string = string,
> extends AggregateRepository<D> {
  /** Documents whose run has ended early, or whose next attempt is due. */
  readonly unfinished: Work<D>;
  protected readonly databases: Databases;
  private readonly leaseMs: number;

  protected constructor({ name, databases, relay, models, leaseMs }: Dependencies<D>) {
    super(models, relay);
    this.databases = databases;
    this.leaseMs = leaseMs;
    this.unfinished = this.work({
      name,
      due: 'nextAt',
      reason: REASON,
      leaseMs,
      counts: ['attempt', 'rev'],
      atOnce: 32,
    });
  }

  /** The transition from a step by a result; null where it cannot occur. */
  protected abstract moveFrom(step: D['step'], result: Result | CommonResult): Move | null;

  /** A document, regardless of its readers. */
  findById(id: string): Promise<D | null> {
    return this.lookUp(system, id);
  }

  /** How many are in progress, counted up to 1 000, and the age of the oldest in seconds. */
  async backlog(): Promise<{ count: number; oldestSeconds: number }> {
    const inProgress = { nextAt: { $type: 'date' } };
    const sort = { nextAt: 1 } as const;
    const found = await this.findPicked(system, inProgress, ['createdAt'], { sort, limit: MOST_COUNTED });
    const nowMs = this.databases.clock.now().getTime();
    const agesMs = found.map(({ createdAt }) => nowMs - createdAt.getTime());
    return { count: found.length, oldestSeconds: Math.max(0, ...agesMs) / 1_000 };
  }

  /** reserve → withdraw, due when no earlier request can reach the booking any more. `rejection` is JSON. */
  markRejected(document: D, rejection: string, context: RequestContext): Promise<D | null> {
    const rejected = { rejection, rejectedAt: this.databases.clock.now() };
    return this.move(document, 'rejected', rejected as Changes<D>, context);
  }

  /** settle, check or withdraw → done. */
  markSettled(document: D, context: RequestContext): Promise<D | null> {
    return this.move(document, 'settled', { nextAt: null } as Changes<D>, context);
  }

  /** Postpones the next attempt, which the recoverer makes. */
  abstract putOff(document: D, context: RequestContext): Promise<D | null>;

  /** Removes a document without a reservation; false when another process has taken it over. */
  removeRejected({ _id, rev }: D): Promise<boolean> {
    return this.remove(system, { _id, rev });
  }

  /** Whether one of these is in progress. */
  protected async isUnfinished(which: Filter): Promise<boolean> {
    return (await this.findOne(system, { ...which, nextAt: { $type: 'date' } })) !== null;
  }

  /** Fields of a new document, whose first step a run begins at once. Its attempt is that of the run. */
  protected firstStep<S extends D['step']>(step: S, { attempt }: RequestContext) {
    return { step, attempt, nextAt: this.leaseEnd(), rejection: null };
  }

  /** Stores the result of the current step, and a lease for the next one. */
  protected move(
    document: D,
    result: Result | CommonResult,
    changes: Changes<D>,
    context: RequestContext,
    events: NewEvent<D>[] = [],
  ): Promise<D | null> {
    const move = this.moveFrom(document.step, result);
    if (!move) throw new Error(`${document._id} at the step ${document.step} cannot have the result ${result}.`);
    const set = { nextAt: this.leaseEnd(), ...move, ...changes } as Decision<D>['set'];
    return this.commit(document, { set, events, unseen: move.status === undefined }, context);
  }

  private leaseEnd(): Date {
    return this.databases.clock.inMs(this.leaseMs);
  }
}
