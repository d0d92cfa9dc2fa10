import { deepStrictEqual } from 'node:assert';
import type { InputOf, Operation, Principal, ServiceName } from '@swim/contracts';
import * as contracts from '@swim/contracts';
import { type Answered, AppError, newId } from '@swim/platform';
import { crashPoints } from '../faults/crash-points.js';
import { HeldWrites } from '../faults/held-writes.js';
import type { TestHarness } from '../services/harness.js';
import { until } from '../waiting/until.js';
import { updateAll } from './update-all.js';

const BUDGET_MS = 60_000;
const SHARED_MS = 3_000;

/** A request, what another client does to its object, and what clients see of that. */
export interface RetriedWrite<O extends Operation = Operation> {
  principal: Principal;
  input: InputOf<O>;
  /** Changes the object once the request was answered. */
  rival(answer: Answered<O>): Promise<unknown>;
  look(answer: Answered<O>): Promise<unknown>;
}

/** How a write of the API is retried: `arrange` makes the objects of each run. */
export interface RetriedCase {
  operation: Operation;
  arrange: () => Promise<RetriedWrite<never>>;
}

/** The case of an operation. */
export const retried = <O extends Operation>(operation: O, arrange: () => Promise<RetriedWrite<O>>): RetriedCase => ({
  operation,
  arrange: arrange as unknown as RetriedCase['arrange'],
});

/** The writes of the public API that a service serves. */
export const publicWrites = (service: ServiceName): Operation[] =>
  (Object.values(contracts) as Partial<Operation>[]).filter(
    (each): each is Operation => each.service === service && each.kind === 'write' && each.summary !== undefined,
  );

type Outcome = { value: never } | { error: unknown };

const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (value) => ({ value: value as never }),
    (error: unknown) => ({ error }),
  );

/**
 * Repeats writes under their keys after another client has changed the same object: the change stands. The service runs in this
 * process, started after this. Requests are stopped before each of their writes in turn, in `npm test` before a sample of them.
 */
export class RetriedWrites {
  private stoppedAt = 'none';
  /** Writes of the last request that was not stopped. */
  private outlived = 0;

  private constructor(
    private readonly service: ServiceName,
    private readonly writes: HeldWrites,
  ) {}

  /** Puts a proxy before the database of the tests that start in this file from now on. */
  static async before(service: ServiceName): Promise<RetriedWrites> {
    const writes = await HeldWrites.before(process.env.TEST_MONGODB_URI!);
    process.env.TEST_MONGODB_URI = writes.uri;
    return new RetriedWrites(service, writes);
  }

  /** Has everything pass. */
  release(): void {
    this.writes.release();
  }

  close(): Promise<void> {
    return this.writes.close();
  }

  /** Runs the case of an operation for the writes of its request. */
  async check(harness: TestHarness, operation: Operation, cases: readonly RetriedCase[]): Promise<void> {
    const known = cases.find((each) => each.operation === operation);
    if (!known) throw new Error(`${operation.name} is a write of the API: it needs a case here.`);
    const stoppedBefore = async (n: number) => {
      try {
        return await this.stopped(n, harness, operation, await known.arrange());
      } catch (error) {
        throw new Error(`Stopped before write ${n}, of ${this.stoppedAt}.`, { cause: error });
      } finally {
        this.writes.release();
      }
    };
    await crashPoints().each(stoppedBefore, () => this.outlived);
  }

  /** Stops the request before its nth write; returns whether it has so many. */
  private async stopped(
    n: number,
    harness: TestHarness,
    operation: Operation,
    { principal, input, rival, look }: RetriedWrite<never>,
  ): Promise<boolean> {
    const options = { principal, idempotencyKey: newId('req'), budgetMs: BUDGET_MS };
    const repeat = (): Promise<never> =>
      harness.insist(operation as never, input, options, () => this.lapse(harness, principal));
    this.writes.holdWrite(n);
    let isOver = false;
    const first = outcomeOf(harness.call(operation as never, input, options)).finally(() => (isOver = true));
    await until(() => this.writes.isHolding || isOver, 'the request is stopped, or over');
    if (!this.writes.isHolding) {
      this.outlived = this.writes.passed;
      unlessFailed(await first);
      return false;
    }
    this.stoppedAt = this.writes.heldCollection!;
    const isAnswer = n > 1 && this.stoppedAt === 'idempotency';
    const answer = isAnswer ? await this.losingAnswer(harness, principal, first) : await this.unlessShared(repeat());
    await this.unlessShared(rival(answer));
    const seen = await look(answer);
    if (isAnswer) await repeat().catch(unlessGone);
    this.writes.release();
    await first;
    deepStrictEqual(await look(answer), seen);
    return true;
  }

  /** Lets a request go on whose answer is about to be stored: another run has superseded it, so that it is not. */
  private async losingAnswer(harness: TestHarness, principal: Principal, first: Promise<Outcome>): Promise<never> {
    const records = this.recordsOf(harness, principal);
    await records.updateMany({ state: 'running' }, { $inc: { attempt: 1 } });
    this.writes.release();
    return unlessFailed(await first);
  }

  /** Where work waits for what it shares with the stopped request, a queue or a key of the process, that goes on. */
  private async unlessShared<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.writes.release(), SHARED_MS);
    return work.finally(() => clearTimeout(timer));
  }

  /** Ends the leases of runs and of what they have begun. */
  private async lapse(harness: TestHarness, principal: Principal): Promise<void> {
    await updateAll(this.recordsOf(harness, principal), { state: 'running' }, { leaseUntil: new Date(0) });
    if (this.service !== 'scheduling') return;
    const claims = harness.database(`scheduling_${principal.env}`).collection('claims');
    await updateAll(claims, { state: 'taking' }, { until: new Date(0) });
  }

  private recordsOf(harness: TestHarness, { env }: Principal) {
    return harness.database(`${this.service}_${env}`).collection('idempotency');
  }
}

/** What was made, and removed by another client since, is not found. */
function unlessGone(error: unknown): void {
  if (!(error instanceof AppError && error.reason === 'resource_not_found')) throw error;
}

function unlessFailed(outcome: Outcome): never {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
