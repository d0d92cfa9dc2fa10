import type { INestMicroservice, Type } from '@nestjs/common';
import type { ServiceName } from '@swim/contracts';
import { type RunConfig, type RunningService, startService } from '@swim/messaging';
import { Databases } from '@swim/mongo';
import type { mongo } from 'mongoose';
import { ChaosProxy } from '../faults/chaos-proxy.js';
import { isWorkWrite } from '../faults/crash-after-writes.js';
import { type CrashPoints, crashPoints } from '../faults/crash-points.js';
import { until } from '../waiting/until.js';
import type { TestHarness } from './harness.js';

const MOST_STARTS = 10;
/** How often postponed work becomes due while a test waits for an idle service. */
const ELAPSE_MS = 150;

/** How to import a service, once the environment has the addresses of its servers. */
export interface CrashableOptions {
  service: ServiceName;
  load(): Promise<{ module: Type; config: RunConfig }>;
  /** Ends the leases of a crashed instance, before the next one starts. */
  lapse(): Promise<unknown>;
  /**
   * Makes due the work that a live instance has postponed for seconds, and ends no lease. It runs repeatedly while a test
   * waits.
   */
  elapse?(): Promise<unknown>;
}

/**
 * A service in the test's process that crashes on demand. From the moment that the database has acknowledged the nth write,
 * before any code of the service receives that, the proxies pass nothing from or to the instance; its memory is abandoned. A
 * new instance then takes over.
 */
export class CrashableService {
  private running: RunningService | undefined;
  private writesLeft = 0;
  /** Writes of the last work that the service outlived. */
  private writesOutlived = 0;
  /** Counted writes without an answer. */
  private readonly unanswered = new Set<number>();
  private crashed = Promise.withResolvers<void>();
  /** Closing connections of the crashed instance. */
  private closing: Promise<unknown> = Promise.resolve();
  private readonly remains: Promise<unknown>[] = [];

  private constructor(
    private readonly options: CrashableOptions,
    private readonly database: ChaosProxy,
    private readonly bus: ChaosProxy,
    private readonly module: Type,
    private readonly config: RunConfig,
  ) {}

  static async start(harness: TestHarness, options: CrashableOptions): Promise<CrashableService> {
    const { MONGODB_URI, NATS_URL } = harness.env;
    const [database, bus] = await Promise.all([ChaosProxy.before(MONGODB_URI!), ChaosProxy.before(NATS_URL!)]);
    const address = new URL(database.uri);
    address.searchParams.set('monitorCommands', 'true');
    Object.assign(process.env, harness.env, { MONGODB_URI: address.href });
    const { module, config } = await options.load();
    const own = { ...config, NATS_URL: bus.uri, HEALTH_PORT: 0 };
    const service = new CrashableService(options, database, bus, module, own);
    prepareOnce();
    await service.restart();
    return service;
  }

  /** The application of the current instance. */
  get app(): INestMicroservice {
    if (!this.running) throw new Error('The service has crashed.');
    return this.running.app;
  }

  /**
   * Runs `scenario` for a crash after each of these writes, and once without a crash. Returns the number of writes.
   *
   * By default `npm run chaos` takes every write; `npm test` takes the first, the last, and every sixteenth from a random one.
   */
  everywhere(scenario: (n: number) => Promise<boolean>, points: CrashPoints = crashPoints()): Promise<number> {
    return points.each(scenario, () => this.writesOutlived);
  }

  /**
   * Crashes the service after its nth write from the start of `work`, and starts a new instance. False when the service
   * outlived the work and has no write left, according to `isIdle`.
   */
  async crashDuring(
    n: number,
    work: () => Promise<unknown>,
    isIdle: () => Promise<boolean>,
    { lapses = true } = {},
  ): Promise<boolean> {
    await this.idle(isIdle);
    this.writesLeft = n;
    const first = work().catch(() => undefined);
    await Promise.race([this.crashed.promise, first]);
    await this.idle(async () => !this.running || (await isIdle()));
    // `isIdle` may read a write before the service has its answer, which may be the one to crash at.
    await until(() => !this.running || this.unanswered.size === 0, 'its writes are answered');
    this.writesOutlived = n - this.writesLeft;
    this.writesLeft = 0;
    if (this.running) return false;
    try {
      if (lapses) await this.options.lapse();
    } finally {
      // A failed case must not leave the next ones without an instance.
      await this.restart();
    }
    return true;
  }

  /**
   * Crashes the service after its nth write from now, whatever it works on, and starts a new instance; resolves then. Other
   * work goes on meanwhile, and fails as that of clients does. `disarm` cancels it.
   */
  async crashAtWrite(n: number): Promise<void> {
    this.writesLeft = n;
    await this.crashed.promise;
    await this.options.lapse();
    await this.restart();
  }

  /** Cancels a crash that has not happened. */
  disarm(): void {
    this.writesLeft = 0;
  }

  /** Whether a crash is to come, or the new instance has not started yet. */
  get isArmed(): boolean {
    return this.writesLeft > 0 || !this.running;
  }

  /** Waits until `isIdle` holds, at most `withinMs`; postponed work becomes due meanwhile. */
  async idle(isIdle: () => Promise<boolean>, withinMs?: number): Promise<void> {
    let elapsesAtMs = performance.now() + ELAPSE_MS;
    const check = async () => {
      if (await isIdle()) return true;
      if (performance.now() < elapsesAtMs) return false;
      await this.options.elapse?.();
      elapsesAtMs = performance.now() + ELAPSE_MS;
      return false;
    };
    await until(check, 'the service is idle', withinMs);
  }

  /** Crashes now. */
  async crash(): Promise<void> {
    if (this.running) this.die(this.running);
    await this.closing;
  }

  /** Starts a new instance after a crash, and again when that fails, as a supervisor does. */
  async restart(): Promise<void> {
    await this.closing;
    this.database.disturb({});
    this.bus.disturb({});
    this.crashed = Promise.withResolvers();
    this.unanswered.clear();
    const running = await this.startAtLast();
    this.countWrites(running);
    this.running = running;
  }

  /** Starts a second instance, to be stopped by the test. */
  startReplica(): Promise<RunningService> {
    return startService(this.options.service, this.module, this.config);
  }

  private async startAtLast(): Promise<RunningService> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.startReplica();
      } catch (error) {
        // A server of a busy machine may be too slow for a new connection.
        if (attempt === MOST_STARTS) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await Promise.allSettled(this.remains);
    await Promise.all([this.database.close(), this.bus.close()]);
  }

  private countWrites(running: RunningService): void {
    const client = clientOf(running);
    client.on('commandStarted', ({ commandName, command, requestId }: mongo.CommandStartedEvent) => {
      if (this.writesLeft > 0 && isWorkWrite(commandName, command[commandName])) this.unanswered.add(requestId);
    });
    client.on('commandSucceeded', ({ requestId }: mongo.CommandSucceededEvent) => {
      if (this.unanswered.delete(requestId) && this.writesLeft > 0 && --this.writesLeft === 0) this.die(running);
    });
    client.on('commandFailed', ({ requestId }: mongo.CommandFailedEvent) => this.unanswered.delete(requestId));
  }

  // Synchronous up to the proxies: no later step of the service reaches a server.
  private die(running: RunningService): void {
    this.database.disturb({ unreachable: true });
    this.bus.disturb({ unreachable: true });
    this.running = undefined;
    const hasLeft = running.abort();
    this.closing = Promise.allSettled([hasLeft, clientOf(running).close()]);
    // The sweeps and requests in progress of the crashed instance end by their errors.
    this.remains.push(hasLeft.then(() => running.app.close()));
    this.crashed.resolve();
  }
}

const prepared = new Set<ServiceName>();

/** Has the databases of each service probed and prepared by its first instance only: the others share them. */
function prepareOnce(): void {
  const { prepare } = Databases.prototype;
  if (prepare.name === 'prepareFirst') return;
  Databases.prototype.prepare = async function prepareFirst(this: Databases) {
    const { service } = this as unknown as { service: ServiceName };
    if (prepared.has(service)) return;
    await prepare.call(this);
    prepared.add(service);
  };
}

const clientOf = (running: RunningService): mongo.MongoClient =>
  running.app.get(Databases, { strict: false }).connection.getClient();
