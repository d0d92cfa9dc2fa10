import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENTS } from '@swim/contracts';
import {
  type Bus,
  BusConnection,
  ClockWatch,
  connectBus,
  EventSignals,
  exitWhenClosed,
  KeyInvalidationReader,
  RpcClient,
} from '@swim/messaging/client';
import {
  AppError,
  createLogger,
  HealthServer,
  type Logger,
  openTracer,
  sharedClock,
  type Tracer,
} from '@swim/platform';
import { Authenticator } from './authentication/authenticator.js';
import { FailedAttempts } from './authentication/failed-attempts.js';
import { KeyCache } from './authentication/key-cache.js';
import { KeyInvalidations } from './authentication/key-invalidations.js';
import { LookUpTurns } from './authentication/look-up-turns.js';
import { GATEWAY_PRINCIPALS } from './calls/gateway-principals.js';
import { PeopleClock } from './calls/people-clock.js';
import { ServiceCalls } from './calls/service-calls.js';
import { ServiceHealth } from './calls/service-health.js';
import { verifyKeyBy, verifySessionBy } from './calls/verifications.js';
import type { Config } from './config.js';
import { parseSessionText, SessionAuthenticator } from './dashboard/session-authenticator.js';
import { DashboardFiles } from './dashboard-files.js';
import { startEngine } from './engine.js';
import { EventReads } from './event-streams/event-reads.js';
import { EventStreams } from './event-streams/event-streams.js';
import { StreamLeases } from './event-streams/stream-leases.js';
import { type Dependencies, Exchange } from './exchange.js';
import { HeldRejections } from './http/held-rejections.js';
import { HttpServer } from './http/http-server.js';
import { RequestLog } from './http/request-log.js';
import { LateMcpEndpoint } from './mcp/late-mcp-endpoint.js';
import { CalendarFeeds } from './operations/calendar-feed.js';
import { Pages, readDocuments, readOpenApi } from './pages.js';
import type { EngineApp } from './plugin.js';
import type { EngineRequest } from './policies.js';
import { CounterStream } from './rate-limits/counter-stream.js';
import { RateLimiter } from './rate-limits/rate-limiter.js';
import { RequestRecorder } from './recorded-requests/request-recorder.js';
import { checkHead } from './requests/request-head.js';
import { readTarget } from './requests/request-target.js';
import { type Match, ROUTER } from './router.js';

/** A running gateway. */
export interface Gateway {
  /** Port of the public API. */
  readonly port: number;
  /** Stops in order: no new connections, the answers in flight, the connections to NATS. */
  stop(): Promise<void>;
}

const MINUTES_PER_HOUR = 60;
/** How long the start waits for JetStream and its streams, which may be made at the same time. */
const DEPENDENCIES_WITHIN_MS = 60_000;
const RETRY_MS = 500;
const UNREADABLE: Match = { kind: 'unknown' };

/** Runs the engine's pipeline on each request of the HTTP server. */
function accepting(app: EngineApp, dependencies: Dependencies) {
  return (request: IncomingMessage, response: ServerResponse): Exchange => {
    const target = readTarget(request.url!);
    let match = UNREADABLE;
    let rejection: unknown = null;
    try {
      match = ROUTER.match(request.method!, target.path);
      checkHead(request);
    } catch (error) {
      rejection = error;
    }
    const exchange = new Exchange(request, response, target, match, dependencies);
    (request as EngineRequest).exchange = exchange;
    // The engine's endpoint matches every path; it must not parse the real one.
    request.url = '/';
    if (rejection) exchange.fail(rejection);
    // A request that the engine does not answer, or an error of the engine, gets the envelope too.
    else app(request as EngineRequest, response, (error) => exchange.fail(error ?? new AppError('unknown_route')));
    return exchange;
  };
}

interface Foundations {
  config: Config;
  logger: Logger;
  bus: Bus;
  client: RpcClient;
  tracer: Tracer | null;
}

/** Retries a step of the start until it succeeds; throws its error when none has after DEPENDENCIES_WITHIN_MS. */
async function retryAtStart(step: () => Promise<void>, logger: Logger): Promise<void> {
  const lastAt = performance.now() + DEPENDENCIES_WITHIN_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() >= lastAt) throw error;
      logger.warn({ err: error }, 'the start waits for NATS and its streams');
      await sleep(RETRY_MS);
    }
  }
}

/** Starts reading key invalidations of both environments; resolves once it does. */
async function readInvalidations({ bus, logger }: Foundations) {
  const invalidations = { live: new KeyInvalidations(), test: new KeyInvalidations() };
  const readers = ENVIRONMENTS.map(
    (env) => new KeyInvalidationReader({ connection: bus.events, env, listener: invalidations[env] }),
  );
  await Promise.all(readers.map((reader) => retryAtStart(() => reader.start(), logger)));
  return invalidations;
}

const originOf = ({ PUBLIC_URL }: Config): string => (PUBLIC_URL ? new URL(PUBLIC_URL).origin : '');

async function readPages(health: ServiceHealth, config: Config): Promise<Pages> {
  const [openApi, dashboard] = await Promise.all([
    readOpenApi(),
    DashboardFiles.read({ publishableKey: config.STRIPE_PUBLISHABLE_KEY }),
  ]);
  return new Pages(await readDocuments(openApi, originOf(config)), dashboard, health, config.SECURITY_CONTACT);
}

/** The authenticators: by keys, and by sessions of the dashboard. Each counts its own failed attempts. */
async function authentication(foundations: Foundations, calls: ServiceCalls, { isUp }: { isUp: () => boolean }) {
  const { TRUSTED_PROXIES: trustedProxies, PINNED_ENVIRONMENT: pinnedEnvironment } = foundations.config;
  const verdicts = { invalidations: await readInvalidations(foundations), canVerify: isUp };
  const optionsOf = (attempts: FailedAttempts) => ({
    attempts,
    turns: new LookUpTurns(attempts),
    trustedProxies,
    pinnedEnvironment,
  });
  const attempts = () => new FailedAttempts(foundations.config.FAILED_AUTH_PER_MINUTE);
  return {
    authenticator: new Authenticator({
      keys: new KeyCache({ ...verdicts, verify: verifyKeyBy(calls) }),
      ...optionsOf(attempts()),
    }),
    sessions: new SessionAuthenticator({
      sessions: new KeyCache({ ...verdicts, verify: verifySessionBy(calls), parse: parseSessionText }),
      ...optionsOf(attempts()),
    }),
  };
}

async function assemble(foundations: Foundations): Promise<Dependencies> {
  const { config, logger, bus, client, tracer } = foundations;
  const busConnection = new BusConnection(bus.rpc);
  const counters = new CounterStream(bus.events, new BusConnection(bus.events));
  await retryAtStart(() => counters.check(), logger);
  const calls = new ServiceCalls(client, busConnection, logger);
  // Counted separately: a forger of webhooks behind a shared address does not affect the keys used from it.
  const forgeries = new FailedAttempts(config.FAILED_AUTH_PER_MINUTE);
  const webhookSenders = { attempts: forgeries, turns: new LookUpTurns(forgeries) };
  const limits = { perHour: config.RATE_LIMIT_PER_HOUR, perMinute: config.RATE_LIMIT_PER_MINUTE };
  const limiter = new RateLimiter(limits, counters.increment);
  const perMinute = config.DASHBOARD_RATE_LIMIT_PER_MINUTE;
  const userLimiter = new RateLimiter({ perHour: perMinute * MINUTES_PER_HOUR, perMinute }, counters.increment);
  const pages = await readPages(new ServiceHealth(client, busConnection), config);
  const hsts = config.HSTS_MAX_AGE_SECONDS === 0 ? null : `max-age=${config.HSTS_MAX_AGE_SECONDS}`;
  const log = new RequestLog(logger);
  const leases = new StreamLeases(calls, GATEWAY_PRINCIPALS, logger);
  const streams = new EventStreams(leases, new EventReads(calls), new EventSignals(bus.events));
  return {
    ...(await authentication(foundations, calls, { isUp: () => busConnection.isUp })),
    limiter,
    userLimiter,
    calls,
    streams,
    feeds: new CalendarFeeds(config.PINNED_ENVIRONMENT),
    pages,
    webhookSenders,
    mcp: new LateMcpEndpoint(),
    log,
    tracer,
    heldRejections: new HeldRejections(),
    recorder: new RequestRecorder(calls, logger),
    linkAttempts: new FailedAttempts(config.FAILED_AUTH_PER_MINUTE),
    trustedProxies: config.TRUSTED_PROXIES,
    hsts,
    publicOrigin: originOf(config),
    isDraining: false,
  };
}

/** Starts a gateway: the engine, NATS, the public port, health. Throws HalfLoaded, or the error of NATS or a port. */
export async function startGateway(config: Config): Promise<Gateway> {
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const health = new HealthServer();
  await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  const app = await startEngine(logger);
  const bus = await connectBus('gateway', config, logger);
  const tracer = await openTracer('gateway', config, logger);
  const client = new RpcClient(bus.rpc, new ClockWatch(logger, 'people'), { tracer });
  const clock = new PeopleClock(client, GATEWAY_PRINCIPALS.live);
  await clock.start();
  const dependencies = await assemble({ config, logger, bus, client, tracer });
  for (const connection of [bus.rpc, bus.events]) exitWhenClosed(connection, () => dependencies.isDraining, logger);
  health.addCheck('nats', async () => void (await Promise.all([bus.rpc.rtt(), bus.events.rtt()])));
  health.addCheck('clock', async () => {
    if (!sharedClock.isSet) throw new Error('The clock has no reading from people yet.');
  });
  const drainMs = config.DRAIN_SECONDS * 1_000;
  const server = new HttpServer(accepting(app, dependencies), {
    maxConnections: config.MAX_CONNECTIONS,
    publicOrigin: dependencies.publicOrigin,
    drainMs,
  });
  const port = await server.listen(config.PORT, config.HOST);
  health.ready();
  logger.info({ port, timezones: process.versions.tz }, 'ready');
  return {
    port,
    async stop() {
      dependencies.isDraining = true;
      health.draining();
      // Clients and balancers learn meanwhile that this replica leaves, and use no connection to it that is about to be closed.
      await sleep(drainMs);
      dependencies.heldRejections.stop();
      // Before the connections: `close` waits for the answers in flight.
      const streamsEnd = dependencies.streams.stop();
      await server.close();
      await streamsEnd;
      await dependencies.recorder.stop();
      dependencies.calls.close();
      clock.stop();
      await client.close();
      await Promise.all([bus.rpc.close(), bus.events.close(), tracer?.stop()]);
      await health.close();
    },
  };
}
