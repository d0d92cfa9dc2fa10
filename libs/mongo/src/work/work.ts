import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { sharedClock } from '@swim/platform';
import { setOrUnset } from '../aggregate/aggregate-updates.js';
import { hasPassed } from '../commands/conditional-writes.js';
import { asSystem, type Scope } from '../guard/tenant-guard.js';
import { ItemDelays, type Sweep } from './sweep.js';

const BATCH = 100;
// A run that can neither take over nor postpone finds the same again.
const MOST_BATCHES = 25;

/** How documents of a collection are worked on once a date in them has passed. */
export interface WorkOf<D> {
  /** Names the work in logs and metrics. */
  name: string;
  /** The date from which on a document is due (see `indexDue`). A run that has taken it over moves the date to the end of its lease. */
  due: keyof D & string;
  /** Why the work reaches documents of all accounts. */
  reason: string;
  /** For how long a run has a document to itself. Absent where handling is one conditional write, for which replicas may race. */
  leaseMs?: number | ((item: D) => number);
  /** Numbers that each take-over increments. */
  counts?: readonly (keyof D & string)[];
  /** Further fields that a take-over sets, as expressions. */
  taking?: Filter;
  /** How many documents of one environment are handled side by side; by default one by one. */
  atOnce?: number;
  /**
   * How often it is looked for, in ms, also where another replica may have stored it just before it was killed; by default each second, or
   * six while nothing is due.
   */
  lookMs?: number;
  /** A further condition on a document while it is worked on. */
  where?: Filter;
  /** The environments in which there is such work; by default both. */
  environments?: readonly Environment[];
  /** The time by which the dates have passed; by default that of the database. */
  now?: () => Date;
}

/** The parts of a repository that the work on its documents uses. */
export interface WorkStore<D> {
  findDue(scope: Scope, by: Date, limit: number): Promise<D[]>;
  countDue(scope: Scope, by: Date): Promise<number>;
  find(scope: Scope, id: string): Promise<D | null>;
  update(scope: Scope, filter: Filter, update: object): Promise<boolean>;
  updateIf(scope: Scope, filter: Filter, condition: object, set: Filter): Promise<boolean>;
}

type Filter = Record<string, unknown>;
type Stored = { _id: string };
/** Handles a document that is due, which it has to itself where the work has leases. */
export type Handler<D> = (item: D) => Promise<unknown>;

/**
 * The documents of a collection that are due, and who works on each of them. Their due date is the lease and the fence: a take-over
 * moves it, by a write that is conditional on the date as read and on the database's clock, and what a run stores afterwards is
 * conditional on the date that it has set. A run that was superseded, or whose document was made due meanwhile, writes nothing.
 */
export class Work<D extends Stored> {
  private readonly delays = new ItemDelays();

  constructor(
    readonly of: WorkOf<D>,
    private readonly store: WorkStore<D>,
  ) {}

  get environments(): readonly Environment[] {
    return this.of.environments ?? ENVIRONMENTS;
  }

  /** Due documents, the most overdue first. */
  findDue(limit: number): Promise<D[]> {
    return this.store.findDue(this.scope(), this.now(), limit);
  }

  /** How many documents are due, and since when the first has been. */
  async backlog(): Promise<{ count: number; oldest: Date | null }> {
    const [first] = await this.findDue(1);
    if (!first) return { count: 0, oldest: null };
    return { count: await this.store.countDue(this.scope(), this.now()), oldest: this.dueOf(first) };
  }

  /** Takes over a document that is due, and returns it as it is now; null when another run has, or it is not due any more. */
  async take(found: D): Promise<D | null> {
    if (this.of.leaseMs === undefined) return found;
    const { due, counts = [] } = this.of;
    const until = this.leaseEnd(found);
    const counted = Object.fromEntries(counts.map((field) => [field, { $add: [`$${field}`, 1] }]));
    const taking = { [due]: until, ...counted, ...this.of.taking };
    if (!(await this.store.updateIf(this.scope(), this.asHeld(found), hasPassed(due), taking))) return null;
    const taken = await this.store.find(this.scope(), found._id);
    return this.dueOf(taken)?.getTime() === until.getTime() ? taken : null;
  }

  /** Stores the progress of a run, and renews its lease. False when the run is superseded. */
  renew(item: D, set: Partial<D> = {}): Promise<boolean> {
    return this.write(item, set, this.leaseEnd(item));
  }

  /** Ends a run that continues later, with its progress. False when the run is superseded. */
  postpone(item: D, delayMs: number, set: Partial<D> = {}): Promise<boolean> {
    return this.write(item, set, this.inMs(delayMs));
  }

  /** Ends the work on a document, with its result. False when the run is superseded. */
  end(item: D, set: Partial<D> = {}): Promise<boolean> {
    return this.write(item, set, null);
  }

  /** Takes over and handles what is due in an environment, until nothing is or the sweep stops. */
  async drain(handler: Handler<D>, sweep: Sweep): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const due = await this.findDue(BATCH);
      const rest = due.values();
      const handleRest = async () => {
        for (const found of rest) {
          if (sweep.hasStopped) return;
          await sweep.attempt(found, async () => {
            const taken = await this.take(found);
            if (taken) await this.handle(taken, handler);
          });
        }
      };
      await Promise.all(Array.from({ length: this.of.atOnce ?? 1 }, handleRest));
      if (due.length < BATCH) return;
    }
  }

  /**
   * Handles a document that a run has to itself. When that fails, the document is postponed, the longer the more often it has failed,
   * and the error is thrown.
   */
  async handle(item: D, handler: Handler<D>): Promise<void> {
    try {
      await handler(item);
      this.delays.forget(item._id);
    } catch (error) {
      await this.postpone(item, this.delays.next(item._id)).catch(() => false);
      throw error;
    }
  }

  /** The condition that a document is as a run has read or written it. */
  private asHeld(item: D): Filter {
    const counts = (this.of.counts ?? []).map((field) => [field, item[field]]);
    return { ...this.of.where, _id: item._id, [this.of.due]: item[this.of.due], ...Object.fromEntries(counts) };
  }

  private async write(item: D, set: Partial<D>, dueAt: Date | null): Promise<boolean> {
    const fields = { ...set, [this.of.due]: dueAt };
    if (!(await this.store.update(this.scope(), this.asHeld(item), setOrUnset(fields)))) return false;
    Object.assign(item, fields);
    return true;
  }

  private dueOf(item: D | null): Date | null {
    return (item?.[this.of.due] as Date | null | undefined) ?? null;
  }

  private now(): Date {
    return this.of.now?.() ?? sharedClock.now();
  }

  private leaseEnd(item: D): Date {
    const { leaseMs = 0 } = this.of;
    return this.inMs(typeof leaseMs === 'number' ? leaseMs : leaseMs(item));
  }

  private inMs(ms: number): Date {
    return new Date(this.now().getTime() + ms);
  }

  private scope(): Scope {
    return asSystem(this.of.reason);
  }
}
