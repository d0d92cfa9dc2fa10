import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NatsConnection } from '@nats-io/transport-node';
import { ENVIRONMENTS, type OutputOf, type Principal, verifyKey } from '@swim/contracts';
import { connectNats, exitWhenClosed, KeyNewsReader, makeCall, RpcClient, resultOf } from '@swim/messaging/client';
import { AppError, createLogger, Deadline, HealthServer, type Logger, newId, type PresentedKey } from '@swim/platform';
import { Authenticator } from './authentication/authenticator.js';
import { FailedAttempts } from './authentication/failed-attempts.js';
import { KeyCache } from './authentication/key-cache.js';
import { KnownNews } from './authentication/known-news.js';
import { BusLink } from './calls/bus-link.js';
import { ServiceCalls } from './calls/service-calls.js';
import type { Config } from './config.js';
import { docsPage } from './docs-page.js';
import { startEngine } from './engine.js';
import { Exchange } from './exchange.js';
import { HttpServer } from './http-server.js';
import type { OpenApiDocument } from './openapi/document.js';
import { OPENAPI_FILE } from './openapi/openapi-file.js';
import { Pages } from './pages.js';
import type { Parts } from './parts.js';
import type { EngineApp } from './plugin.js';
import type { EngineRequest } from './policies/policy.js';
import { CounterStream } from './rate-limits/counter-stream.js';
import { RateLimiter } from './rate-limits/rate-limiter.js';
import { RequestLog } from './request-log.js';
import { readTarget } from './requests/target.js';
import { type Match, Router } from './router.js';
import { PAGES, ROUTES } from './routes.js';

/** A gateway at work. */
export interface Gateway {
  /** Port of the public API. */
  readonly port: number;
  /** Stops in order: no new connections, requests under way are answered, NATS is left. */
  stop(): Promise<void>;
}

const ROUTER = new Router(ROUTES, PAGES);
const UNREADABLE: Match = { kind: 'unknown' };

// Stands for nobody: a key is looked up before it is known whose it is.
const askerOf = (env: Principal['env']): Principal => ({
  accountId: 'gateway',
  kind: 'family',
  env,
  keyId: 'gateway',
  scopes: [],
});
const ASKERS = { live: askerOf('live'), test: askerOf('test') };

async function verify(calls: ServiceCalls, key: PresentedKey, budgetMs: number): Promise<OutputOf<typeof verifyKey>> {
  const call = makeCall({
    requestId: newId('req'),
    principal: ASKERS[key.env],
    deadline: new Deadline(budgetMs),
  });
  const { answer } = await calls.request(verifyKey, JSON.stringify(key), call);
  return resultOf(verifyKey, answer);
}

/** Takes a request off our server and runs the engine's pipeline on it. */
function accepting(app: EngineApp, parts: Parts) {
  return (request: IncomingMessage, response: ServerResponse): Exchange => {
    const target = readTarget(request.url!);
    let match = UNREADABLE;
    let refusal: unknown = null;
    try {
      match = ROUTER.match(request.method!, target.path);
      if (request.headers.host === undefined && request.httpVersion === '1.1')
        throw new AppError('malformed_request', { field: 'Host' });
    } catch (error) {
      refusal = error;
    }
    const exchange = new Exchange(request, response, target, match, parts);
    (request as EngineRequest).exchange = exchange;
    // The engine matches everything anyway, and what it cannot read it must not see.
    request.url = '/';
    if (refusal) exchange.fail(refusal);
    // The last word is ours as well: what the engine lets fall through, or fails with, still gets the envelope.
    else app(request as EngineRequest, response, (error) => exchange.fail(error ?? new AppError('unknown_route')));
    return exchange;
  };
}

async function readDocuments(): Promise<{ openapi: Buffer; docs: Buffer }> {
  const document = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument;
  return { openapi: Buffer.from(JSON.stringify(document)), docs: Buffer.from(docsPage(document)) };
}

interface Foundations {
  config: Config;
  logger: Logger;
  connection: NatsConnection;
  client: RpcClient;
}

/** Reads the news of all keys; resolves once it does. */
async function readNews({ connection, logger }: Foundations) {
  const news = { live: new KnownNews(), test: new KnownNews() };
  const readers = ENVIRONMENTS.map((env) => new KeyNewsReader({ connection, env, listener: news[env], logger }));
  await Promise.all(readers.map((reader) => reader.start()));
  return news;
}

async function assemble(foundations: Foundations): Promise<Parts> {
  const { config, logger, connection, client } = foundations;
  const link = new BusLink(connection);
  const counters = new CounterStream(connection, link);
  await counters.ensure();
  const calls = new ServiceCalls(client, link);
  const authenticator = new Authenticator({
    keys: new KeyCache({
      verify: (key, budgetMs) => verify(calls, key, budgetMs),
      news: await readNews(foundations),
      canAsk: () => link.isUp,
    }),
    attempts: new FailedAttempts(config.FAILED_AUTH_PER_MINUTE),
    trustedProxies: config.TRUSTED_PROXIES,
    pinnedEnvironment: config.PINNED_ENVIRONMENT,
  });
  const limits = { perHour: config.RATE_LIMIT_PER_HOUR, perMinute: config.RATE_LIMIT_PER_MINUTE };
  const limiter = new RateLimiter(limits, counters.increment);
  const pages = new Pages(await readDocuments(), link);
  return { authenticator, limiter, calls, pages, log: new RequestLog(logger), isDraining: false };
}

/** Starts a gateway: the engine, NATS, the public port, health. Throws HalfLoaded, or what keeps it from listening. */
export async function startGateway(config: Config): Promise<Gateway> {
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const health = new HealthServer();
  await health.listen(config.HEALTH_PORT, config.HEALTH_HOST);
  const app = await startEngine(logger);
  const connection = await connectNats(config.NATS_URL, 'gateway', logger);
  const client = new RpcClient(connection);
  const parts = await assemble({ config, logger, connection, client });
  exitWhenClosed(connection, () => parts.isDraining, logger);
  health.addCheck('nats', async () => void (await connection.rtt()));
  const server = new HttpServer(accepting(app, parts));
  const port = await server.listen(config.PORT, config.HOST);
  health.ready();
  logger.info({ port }, 'ready');
  return {
    port,
    async stop() {
      parts.isDraining = true;
      health.draining();
      await server.close();
      parts.calls.close();
      await client.close();
      await connection.close();
      await health.close();
    },
  };
}
