import type { ServiceName } from '@swim/contracts';
import { CrashableService, startHarness, type TestHarness, until } from '@swim/testing';
import { FakePeople } from '../fake-people.js';
import { LoadLimit } from './load-limit.js';
import { CRASHING, OpenWork, PAYMENT_LEASE_MS } from './open-work.js';
import { Traffic } from './traffic.js';

/** Longer than a history: only a crash ends leases. Charges of the slow card are settled at once. */
const TIMES = {
  SAGA_LEASE_MS: '30000',
  IDEMPOTENCY_LEASE_MS: '60000',
  CLAIM_LEASE_MS: '60000',
  PAYMENT_LEASE_MS: String(PAYMENT_LEASE_MS),
  PAYMENT_TIMEOUT_MS: '3600000',
  SANDBOX_SETTLING_MS: '200',
};
const ELAPSE_EACH_MS = 1_000;
/** A write may have been on its way when its instance crashed: its lease begins after the others were ended. */
const LAPSE_AGAIN_MS = 20_000;
const MOST_IN_FLIGHT = 40;
/** A request that misses its deadline leaves a lease, and a busy machine takes long for what is left to do. */
const IDLE_WITHIN_MS = 600_000;

/** Booking, scheduling and payment on real servers, with a fake of people. Each crashes on demand. */
export class Services {
  readonly people: FakePeople;
  /** The clients' limit of requests in flight. */
  readonly load = new LoadLimit(MOST_IN_FLIGHT);
  /** Crashes that have happened. */
  crashes = 0;
  private readonly crashing = new Map<ServiceName, CrashableService>();
  private readonly work: OpenWork;
  private recovery = Promise.withResolvers<null>();
  /** When all leases are ended again; repeatedly while the services come to rest. */
  private lapseAtMs = Number.POSITIVE_INFINITY;
  private isComingToRest = false;

  private constructor(
    readonly harness: TestHarness,
    readonly traffic: Traffic,
  ) {
    this.people = new FakePeople(harness);
    this.work = new OpenWork(harness);
  }

  static async start(): Promise<Services> {
    const harness = await startHarness();
    Object.assign(harness.env, TIMES);
    const services = new Services(harness, await Traffic.record(harness));
    for (const service of CRASHING) services.crashing.set(service, await services.startOne(service));
    return services;
  }

  /** Documents of a service in the sandbox. */
  stored<D extends { _id: string }>(service: ServiceName, name: string) {
    return this.harness.database(`${service}_test`).collection<D>(name);
  }

  /** Resolves when a crashed service runs again: an answer that has not come by then may never come. */
  get recovered(): Promise<null> {
    return this.recovery.promise;
  }

  /** Crashes a service after its nth write from now, unless a crash of it is to come; a new instance takes over. */
  crash(index: number, n: number): void {
    const service = this.crashing.get(CRASHING[index % CRASHING.length]!)!;
    if (service.isArmed) return;
    void service.crashAtWrite(n).then(() => {
      this.crashes++;
      this.endLeasesLater();
      this.recovery.resolve(null);
      this.recovery = Promise.withResolvers();
    });
  }

  /** Ends all leases some time after a crash or a missed deadline: those of the runs that it ended block retries until then. */
  endLeasesLater(): void {
    this.lapseAtMs = Math.min(this.lapseAtMs, performance.now() + LAPSE_AGAIN_MS);
  }

  /** Repeats a request between the services about one of these objects. */
  async repeatRequest(ids: string[], index: number): Promise<void> {
    await this.traffic.repeatRequest(ids, index, async ({ paymentId, refundId }) => {
      const [name, _id] = refundId ? ['refunds', refundId] : ['payments', paymentId];
      if (!_id) return false;
      const reserved = { _id, step: { $ne: 'reserve' } };
      return (await this.stored<{ _id: string; step: string }>('payment', name).findOne(reserved)) === null;
    });
  }

  /** While `work` runs, postponed work of live instances becomes due each second. */
  async elapsing<T>(work: () => Promise<T>): Promise<T> {
    let [isOver, timer] = [false, undefined as NodeJS.Timeout | undefined];
    const tick = () => {
      timer = setTimeout(
        () =>
          void this.elapse()
            .catch(() => undefined)
            .then(() => isOver || tick()),
        ELAPSE_EACH_MS,
      );
    };
    tick();
    return work().finally(() => {
      isOver = true;
      clearTimeout(timer);
    });
  }

  /** Waits until nothing is left to do, and every crash has happened or is cancelled. */
  async untilIdle(): Promise<void> {
    for (const service of this.crashing.values()) service.disarm();
    await until(() => [...this.crashing.values()].every(({ isArmed }) => !isArmed), 'all services run', IDLE_WITHIN_MS);
    let open: string[] = [];
    const isIdle = async () => {
      open = await this.work.some();
      return open.length === 0;
    };
    this.isComingToRest = true;
    this.lapseAtMs = performance.now() + LAPSE_AGAIN_MS;
    await this.crashing
      .get('payment')!
      .idle(isIdle, IDLE_WITHIN_MS)
      .catch((cause: Error) => {
        throw new Error(`${open.join(', ')}: ${cause.message}`, { cause });
      });
    this.isComingToRest = false;
    this.lapseAtMs = Number.POSITIVE_INFINITY;
  }

  async stop(): Promise<void> {
    for (const service of this.crashing.values()) await service.stop();
    await this.harness.stop();
  }

  private startOne(service: ServiceName): Promise<CrashableService> {
    // The others as they are built: services share messages only.
    const built = (file: string) => import(new URL(`../../../${service}/dist/${file}`, import.meta.url).href);
    return CrashableService.start(this.harness, {
      service,
      load: async () =>
        service === 'booking'
          ? {
              module: (await import('../../src/app.module.js')).AppModule,
              config: (await import('../../src/config.js')).config,
            }
          : { module: (await built('app.module.js')).AppModule, config: (await built('config.js')).config },
      lapse: () => this.work.lapse(),
      elapse: () => this.elapse(),
    });
  }

  private async elapse(): Promise<void> {
    if (performance.now() < this.lapseAtMs) return this.work.elapse();
    // While histories are played only when a run has ended without it: it supersedes the work of live instances as well.
    this.lapseAtMs = this.isComingToRest ? performance.now() + LAPSE_AGAIN_MS : Number.POSITIVE_INFINITY;
    return this.work.lapse();
  }
}
