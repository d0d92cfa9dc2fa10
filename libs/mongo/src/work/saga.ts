import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorBody } from '@swim/contracts';
import type { AppError } from '@swim/platform';
import type { Work } from './work.js';

const AGAIN_MS = 1_000;

/** A step of a saga. Both functions are idempotent: they are repeated after a crash, and while their outcome is unknown. */
export interface Step<D> {
  readonly name: string;
  /** How long after the step before it the step begins, in ms. */
  readonly afterMs?: number;
  /** Takes the step as far as one lease permits; returns whether nothing of it is left. Throws `Abandoned` to have the saga undone. */
  run(item: D): Promise<boolean>;
  /** Undoes what the step has done, in whole or in part. */
  undo?(item: D): Promise<void>;
}

/** The same steps as a second round after a delay: it handles what had begun before the first one and ended after that. */
export const onceMore = <D>(round: readonly Step<D>[], afterMs: number): Step<D>[] =>
  round.map((step, index) => ({ ...step, name: `${step.name} again`, ...(index === 0 && { afterMs }) }));

/** The log of a saga, which is stored with its item. */
export interface Progress {
  /** The name of the next step; null when nothing is left to do. */
  step: string | null;
  /** The error for which the steps are undone, from the latest to the first; absent without one. */
  abandoned?: ErrorBody | undefined;
}

/** Thrown by a step that cannot be taken: the steps so far are undone. */
export class Abandoned extends Error {
  constructor(override readonly cause: AppError) {
    super(cause.message);
  }
}

/** What follows a step: the delay before the next one, and the pause before the same one is repeated. */
type Next = Progress & { afterMs?: number | undefined; againMs?: number };

interface SagaOptions<D> {
  /** The field of the item that has the log; by default the item itself has it. */
  log?: keyof D & string;
  /** How long after a step with more to do it is repeated, in ms. */
  againMs?: number;
}

/**
 * A list of steps, of which each is taken and stored before the next one begins. Any replica goes on where another one has stopped; a
 * superseded run stops.
 */
export class Saga<D extends { _id: string }> {
  constructor(
    private readonly work: Work<D>,
    private readonly steps: readonly Step<D>[],
    private readonly options: SagaOptions<D> = {},
  ) {}

  /**
   * Goes on from the current step of an item that this run has, until the end or a delay. A step with more to do is left to the sweep;
   * within `forMs`, which is less than the lease, this run repeats it itself, and leaves the rest then.
   */
  async goOn(item: D, forMs = 0): Promise<void> {
    const endsAtMs = performance.now() + forMs;
    for (;;) {
      const next = await this.take(item);
      if (next === null) return void (await this.work.end(item));
      const { afterMs = 0, againMs = 0, ...progress } = next;
      const set = this.stored(item, progress);
      if (progress.step === null) return void (await this.work.end(item, set));
      const isOver = forMs > 0 ? performance.now() + againMs > endsAtMs : againMs > 0;
      if (isOver || afterMs > 0) return void (await this.work.postpone(item, afterMs + againMs, set));
      if (againMs > 0) await pause(againMs);
      else if (!(await this.work.renew(item, set))) return;
    }
  }

  private async take(item: D): Promise<Next | null> {
    const { step: name, abandoned } = this.progressOf(item);
    if (name === null) return null;
    const index = this.steps.findIndex((step) => step.name === name);
    const step = this.steps[index];
    if (!step) throw new Error(`${item._id} is at ${name}, which is no step of its saga.`);
    if (abandoned) {
      await step.undo?.(item);
      return { step: this.steps[index - 1]?.name ?? null, abandoned };
    }
    try {
      if (!(await step.run(item))) return { step: name, againMs: this.options.againMs ?? AGAIN_MS };
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      return { step: name, abandoned: error.cause.toBody() };
    }
    const next = this.steps[index + 1];
    return { step: next?.name ?? null, afterMs: next?.afterMs };
  }

  private progressOf(item: D): Progress {
    const { log } = this.options;
    return (log ? item[log] : item) as Progress;
  }

  private stored(item: D, progress: Progress): Partial<D> {
    const { log } = this.options;
    return (log ? { [log]: { ...item[log], ...progress } } : progress) as Partial<D>;
  }
}
