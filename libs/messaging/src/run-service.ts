import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type ArgumentsHost,
  Catch,
  type DynamicModule,
  type INestMicroservice,
  type RpcExceptionFilter,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ServiceName } from '@swim/contracts';
import { type Clock, createLogger, HealthServer, type Logger, SystemClock } from '@swim/platform';
import { type Observable, throwError } from 'rxjs';
import { connectNats, exitWhenClosed } from './connection.js';
import { EventConsumer } from './event-consumer.js';
import { EventPublisher } from './event-publisher.js';
import { MessagingModule, SERVE_INTERCEPTOR } from './messaging.module.js';
import { NatsStrategy } from './nats.strategy.js';
import { RpcClient } from './rpc-client.js';
import type { ServeInterceptor } from './serve-interceptor.js';
import { ensureStreams } from './streams.js';

/** What every service is configured with to run at all. */
export interface RunConfig {
  NATS_URL: string;
  HEALTH_PORT: number;
  HEALTH_HOST: string;
  LOG_LEVEL: string;
  /** Failed attempts after which an event that this service hears goes to the dead letters; 20 when absent. */
  EVENT_GIVE_UP_AFTER?: number;
}

/** A running service, for tests that start it inside their own process. */
export interface RunningService {
  readonly app: INestMicroservice;
  /** Stops in order: no new work, work under way ends, relays stop, connections close. */
  stop(): Promise<void>;
}

// Nest would turn every error into a log line and "Internal server error": ours decide for themselves.
@Catch()
class PassErrors implements RpcExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

async function messagingOf(service: ServiceName, connection: NatsConnection, logger: Logger, giveUpAfter?: number) {
  const jetStream = jetstream(connection);
  const manager = await jetstreamManager(connection);
  await ensureStreams(manager);
  const consumer = new EventConsumer({ service, jetStream, manager, logger, giveUpAfter });
  return { consumer, client: new RpcClient(connection), publisher: new EventPublisher(service, jetStream) };
}

/**
 * Starts a service: NATS, streams, its Nest module, health. The process answers `/health` with 200 once it serves, and
 * ends in order on SIGTERM or SIGINT.
 */
export async function startService(
  service: ServiceName,
  module: Type | DynamicModule,
  config: RunConfig,
  clock: Clock = new SystemClock(),
): Promise<RunningService> {
  const logger = createLogger(service, config.LOG_LEVEL);
  const health = new HealthServer();
  await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  const connection = await connectNats(config.NATS_URL, service, logger);
  let closing = false;
  exitWhenClosed(connection, () => closing, logger);
  health.addCheck('nats', async () => void (await connection.rtt()));
  const { consumer, client, publisher } = await messagingOf(service, connection, logger, config.EVENT_GIVE_UP_AFTER);
  const strategy = new NatsStrategy(connection, consumer, logger);
  const root = MessagingModule.around(module, { service, client, publisher, health, logger, clock });
  const app = await NestFactory.createMicroservice(root, { strategy, logger: ['error', 'fatal'], abortOnError: false });
  app.useGlobalFilters(new PassErrors());
  const interceptor = app.get<ServeInterceptor | null>(SERVE_INTERCEPTOR, { strict: false });
  if (interceptor) strategy.interceptWrites(interceptor);
  await app.listen();
  health.ready();
  logger.info({ name: service }, 'ready');
  return {
    app,
    async stop() {
      if (closing) return;
      closing = true;
      health.draining();
      await strategy.close();
      await app.close();
      await client.close();
      await connection.flush();
      await connection.close();
      await health.close();
    },
  };
}

/** Starts a service as this process: a signal ends it in order, a failure at start ends it with a log line. */
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
