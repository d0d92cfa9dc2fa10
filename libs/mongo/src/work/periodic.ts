import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENVIRONMENTS } from '@swim/contracts';
import { CONFIG, dueWork, dueWorkAge, inEnvironment, LOGGER, type Logger, sharedClock } from '@swim/platform';
import { Sweep } from './sweep.js';
import type { Handler, Work } from './work.js';

const [PERIODIC, WHEN_DUE] = [Symbol('periodic'), Symbol('when due')];
const SWEEP_MS = 1_000;
const MEASURE_MS = 15_000;

type Item = { _id: string };
type Provider = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A method that the service runs periodically while it serves. */
interface PeriodicWork {
  /** Names the work in log lines and in `swim_sweep_failures_total`. */
  name: string;
  /** Ms between the beginnings of two runs, as in `Sweep.start`; a function gets the service's configuration. */
  everyMs: number | ((config: never) => number);
  isPerEnvironment: boolean;
}

type Run = (sweep: Sweep) => Promise<void>;
type PeriodicDecorator = <F extends Run>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F>,
) => void;

/**
 * Runs a provider's method every `everyMs` in each replica, never concurrently within one process. The method gets its
 * `Sweep`, which handles items one by one so that a failing one does not block the others.
 */
export const Periodic = (name: string, everyMs: PeriodicWork['everyMs']): PeriodicDecorator =>
  SetMetadata(PERIODIC, { name, everyMs, isPerEnvironment: false } satisfies PeriodicWork);

/** As `Periodic`, in each environment by itself: one that is slow does not delay the other. */
export const PeriodicPerEnvironment = (name: string, everyMs: PeriodicWork['everyMs']): PeriodicDecorator =>
  SetMetadata(PERIODIC, { name, everyMs, isPerEnvironment: true } satisfies PeriodicWork);

/** Has a provider's method handle each document that is due, in any replica. What it throws is logged, and the document postponed. */
export const WhenDue = <P, D extends Item>(
  workOf: (provider: P) => Work<D>,
): (<F extends Handler<D>>(target: P, key: string | symbol, descriptor: TypedPropertyDescriptor<F>) => void) =>
  SetMetadata(WHEN_DUE, workOf);

/** Starts the periodic work of all providers once the service is up, and ends it before the service stops. */
@Injectable()
export class PeriodicRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps: Sweep[] = [];
  private readonly works: Work<Item>[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(CONFIG) private readonly config: object,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders())
      if (instance !== null && typeof instance === 'object') this.startAll(instance as Provider);
    this.start('backlogs', MEASURE_MS, () => this.measure());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
  }

  private startAll(provider: Provider): void {
    for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(provider))) {
      const periodic = Reflect.getMetadata(PERIODIC, provider[method]!) as PeriodicWork | undefined;
      if (periodic) {
        const { name, everyMs, isPerEnvironment } = periodic;
        const intervalMs = typeof everyMs === 'number' ? everyMs : everyMs(this.config as never);
        const run = (sweep: Sweep) => provider[method]!(sweep) as Promise<void>;
        if (!isPerEnvironment) this.start(name, intervalMs, run);
        else
          for (const env of ENVIRONMENTS) this.start(name, intervalMs, (sweep) => inEnvironment(env, () => run(sweep)));
      }
      const workOf = Reflect.getMetadata(WHEN_DUE, provider[method]!) as ((of: Provider) => Work<Item>) | undefined;
      if (workOf) this.startWork(workOf(provider), (item) => provider[method]!(item));
    }
  }

  private startWork(work: Work<Item>, handle: Handler<Item>): void {
    this.works.push(work);
    this.start(work.of.name, work.of.lookMs ?? SWEEP_MS, async (sweep) => {
      // Side by side: what is slow in one environment does not delay the other.
      await Promise.all(work.environments.map((env) => inEnvironment(env, () => work.drain(handle, sweep))));
    });
  }

  private start(name: string, intervalMs: number, run: Run): void {
    const sweep: Sweep = new Sweep(name, intervalMs, () => run(sweep), this.logger);
    this.sweeps.push(sweep);
    sweep.start();
  }

  private async measure(): Promise<void> {
    for (const work of this.works) {
      for (const env of work.environments) {
        const { count, oldest } = await inEnvironment(env, () => work.backlog());
        dueWork.set({ work: work.of.name, env }, count);
        dueWorkAge.set({ work: work.of.name, env }, oldest ? (sharedClock.nowMs() - oldest.getTime()) / 1_000 : 0);
      }
    }
  }
}
