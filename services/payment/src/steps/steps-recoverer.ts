import { ENVIRONMENTS, type Environment } from '@swim/contracts';
import { type Sweep } from '@swim/mongo';
import { paymentBacklog, paymentOldestSeconds } from '@swim/platform';
import { type Origin, resumedContext } from './origin.mapper.js';
import type { StepRun } from './step-run.js';
import type { SteppedRepository } from './stepped.repository.js';
import type { Stepped } from './stepped.schema.js';

const BATCH = 32;

/** How often documents that are due are resumed. */
export const SWEEP_MS = 1_000;
/** How often the backlog is measured. */
export const MEASURE_MS = 10_000;

/** What is recovered, and by whom. */
interface Recovered<D extends Stepped> {
  kind: 'payment' | 'refund';
  documents: SteppedRepository<D>;
  run: StepRun<D>;
  /** The request in whose name a document is resumed. */
  originOf(document: D): Origin;
}

/** Resumes documents whose process crashed or whose retry is due, from their current step. */
export abstract class StepsRecoverer<D extends Stepped> {
  protected constructor(private readonly recovered: Recovered<D>) {}

  protected async resumeDue(sweep: Sweep): Promise<void> {
    // Side by side: a slow processor of one environment does not delay the other.
    await Promise.all(ENVIRONMENTS.map((env) => this.resumeDueIn(env, sweep)));
  }

  /** Publishes the backlog as metrics, so that a processor or booking that is away is noticed. */
  protected async measureBacklog(): Promise<void> {
    const { kind, documents } = this.recovered;
    for (const env of ENVIRONMENTS) {
      const { count, oldestSeconds } = await documents.backlog(env);
      paymentBacklog.set({ kind, env }, count);
      paymentOldestSeconds.set({ kind, env }, oldestSeconds);
    }
  }

  private async resumeDueIn(env: Environment, sweep: Sweep): Promise<void> {
    const due = await this.recovered.documents.findDue(env, BATCH);
    // A take-over moves the due time by a lease: failing ones queue behind the others.
    await Promise.all(due.map((document) => sweep.attempt(document, () => this.resume(document, env))));
  }

  private async resume(document: D, env: Environment): Promise<void> {
    const { documents, run, originOf } = this.recovered;
    const taken = await documents.takeOver(env, document);
    if (taken) await run.advance(taken, resumedContext(originOf(taken), env));
  }
}
