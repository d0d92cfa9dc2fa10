import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { CONFIG, LOGGER, type Logger, Sweep } from '@swim/platform';

const PERIODIC = Symbol('periodic');

/** A method that the service runs periodically while it serves. */
interface PeriodicWork {
  /** Names the work in log lines and in `swim_sweep_failures_total`. */
  name: string;
  /** Ms between the beginnings of two runs, as in `Sweep.start`; a function gets the service's configuration. */
  everyMs: number | ((config: never) => number);
}

type Work = (sweep: Sweep) => Promise<void>;

/**
 * Runs a provider's method every `everyMs` in each replica, never concurrently within one process. The method gets its
 * `Sweep`, which handles due items one by one so that a failing one does not block the others.
 */
export const Periodic = (
  name: string,
  everyMs: PeriodicWork['everyMs'],
): (<W extends Work>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<W>) => void) =>
  SetMetadata(PERIODIC, { name, everyMs } satisfies PeriodicWork);

/** Starts the periodic work of all providers once the service is up, and ends it before the service stops. */
@Injectable()
export class PeriodicRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps: Sweep[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(CONFIG) private readonly config: object,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance !== null && typeof instance === 'object') this.startAll(instance as Record<string, Work>);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
  }

  private startAll(provider: Record<string, Work>): void {
    for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(provider))) {
      const work = Reflect.getMetadata(PERIODIC, provider[method]!) as PeriodicWork | undefined;
      if (!work) continue;
      const everyMs = typeof work.everyMs === 'number' ? work.everyMs : work.everyMs(this.config as never);
      const sweep: Sweep = new Sweep(work.name, everyMs, () => provider[method]!(sweep), this.logger);
      this.sweeps.push(sweep);
      sweep.start();
    }
  }
}
