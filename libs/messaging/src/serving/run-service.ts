import { jetstream } from '@nats-io/jetstream';
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import { HEALTH_CHECKS, type ServiceName } from '@swim/contracts';
import {
  type Clock,
  createLogger,
  HealthServer,
  type Logger,
  openTracer,
  SERVE_INTERCEPTOR,
  type ServeInterceptor,
  sharedClock,
  type TracingConfig,
} from '@swim/platform';
import { ClockWatch } from '../connection/clock-watch.js';
import { type Bus, type BusConfig, connectBus, exitWhenClosed, JETSTREAM } from '../connection/connection.js';
import { EventConsumer } from '../events/event-consumer.js';
import { RpcClient } from '../operations/rpc-client.js';
import { EventPublisher } from '../publishing/event-publisher.js';
import { StreamKeeper } from '../streams/stream-keeper.js';
import { MessagingModule } from './messaging.module.js';
import { NatsStrategy } from './nats.strategy.js';
import { findHandlers } from './serve.decorator.js';

export interface RunConfig extends BusConfig, TracingConfig {
  HEALTH_PORT: number;
  HEALTH_HOST: string;
  LOG_LEVEL: string;
  /** Failed attempts after which an event that this service consumes goes to the dead letters; 20 when absent. */
  EVENT_MAX_ATTEMPTS?: number;
}

/** Tests use this handle of a service that they start inside their own process. */
export interface RunningService {
  readonly app: INestMicroservice;
  /** Stops in order: new work is rejected, work in progress ends, relays stop, connections close. */
  stop(): Promise<void>;
  /**
   * Disconnects at once, as a crash does: work in progress is neither returned, published nor acknowledged.
   * `app.close()` then ends the service.
   */
  abort(): Promise<void>;
}

function messagingOf(service: ServiceName, { events }: Bus, logger: Logger, maxAttempts?: number) {
  const consumer = new EventConsumer({ service, jetStream: jetstream(events, JETSTREAM), logger, maxAttempts });
  const streams = new StreamKeeper(events, logger);
  return { consumer, streams, publisher: new EventPublisher(service, events) };
}

function watchBus({ rpc, events }: Bus, health: HealthServer, logger: Logger, isClosing: () => boolean): void {
  for (const connection of [rpc, events]) exitWhenClosed(connection, isClosing, logger);
  health.addCheck('nats', async () => void (await Promise.all([rpc.rtt(), events.rtt()])));
}

/**
 * Starts a service: NATS, streams, its Nest module, health. The process answers `/health` with 200 once it serves, and
 * ends in order on SIGTERM or SIGINT.
 */
export async function startService(
  service: ServiceName,
  module: Type | DynamicModule,
  config: RunConfig,
  clock: Clock = sharedClock,
): Promise<RunningService> {
  const logger = createLogger(service, config.LOG_LEVEL);
  const health = new HealthServer();
  await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  const bus = await connectBus(service, config, logger);
  let closing = false;
  watchBus(bus, health, logger, () => closing);
  const tracer = await openTracer(service, config, logger);
  const client = new RpcClient(bus.rpc, new ClockWatch(logger), { tracer });
  const { consumer, streams, publisher } = messagingOf(service, bus, logger, config.EVENT_MAX_ATTEMPTS);
  health.addCheck('events', async () => consumer.checkConsumers());
  const strategy = new NatsStrategy(bus.rpc, consumer, logger, tracer);
  strategy.serveHealth(HEALTH_CHECKS.find((each) => each.service === service)!, () => health.failing());
  const parts = { service, config, client, streams, publisher, health, logger, tracer, clock };
  const app = await createApp(MessagingModule.around(module, parts), strategy);
  await app.listen();
  health.ready();
  logger.info({ component: service, timezones: process.versions.tz }, 'ready');
  return {
    app,
    async stop() {
      if (closing) return;
      closing = true;
      health.draining();
      await strategy.close();
      await app.close();
      await client.close();
      // Without a connection there is nothing to send, and the process ends as well.
      await Promise.allSettled([bus.rpc.flush(), bus.events.flush()]);
      await Promise.all([bus.rpc.close(), bus.events.close(), tracer?.stop()]);
      await health.close();
    },
    async abort() {
      if (closing) return;
      closing = true;
      await Promise.all([bus.rpc.close(), bus.events.close(), health.close()]);
    },
  };
}

/** Creates the Nest application of a service, whose marked methods handle what the strategy gets. */
async function createApp(root: DynamicModule, strategy: NatsStrategy): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice(root, { strategy, logger: ['error', 'fatal'], abortOnError: false });
  for (const { handled, handler } of findHandlers(app.get(DiscoveryService), app.get(MetadataScanner)))
    strategy.add(handled, handler);
  const interceptor = app.get<ServeInterceptor | null>(SERVE_INTERCEPTOR, { strict: false });
  if (interceptor) strategy.interceptWrites(interceptor);
  return app;
}

/** Runs a service as this process: a signal stops it in order, and a failed start logs the error and exits. */
export async function runService(service: ServiceName, module: Type | DynamicModule, config: RunConfig): Promise<void> {
  const logger = createLogger(service, config.LOG_LEVEL);
  try {
    const running = await startService(service, module, config);
    const stop = (signal: string): void => {
      logger.info({ signal }, 'stopping');
      running.stop().then(
        () => process.exit(0),
        (error) => {
          logger.error({ err: error }, 'did not stop in order');
          process.exit(1);
        },
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}
