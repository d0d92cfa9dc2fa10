import type { IncomingMessage } from 'node:http';
import { type Environment, nearestName, type Principal, rollKey } from '@swim/contracts';
import { AppError, sharedClock } from '@swim/platform';
import { answerDashboard, failSession } from './dashboard/dashboard-answer.js';
import { requireSameOrigin } from './dashboard/same-origin.js';
import type { Dependencies, Exchange } from './exchange.js';
import { answerExport } from './operations/account-export.js';
import { isLinkPage, type LinkPage, serveLinkPage } from './operations/link-pages.js';
import { answerOperation } from './operations/operation-answer.js';
import { answerWebhook } from './operations/webhook-answer.js';
import { NOT_FOUND_PAGE } from './pages.js';
import type { Page } from './public-pages.js';
import type { Admission } from './rate-limits/rate-limiter.js';
import { weightOf } from './requests/accept-header.js';
import { type Endpoint, existsIn, type Match, ROUTER } from './router.js';
import { BASE_PATH, ROUTES } from './routes.js';

/** Replaces an exchange while the pipeline is checked at start: each policy that is reached adds its name. */
export interface Probe {
  readonly reached: string[];
}

/** A request as the HTTP server passes it to the engine. */
export interface EngineRequest extends IncomingMessage {
  exchange: Exchange | Probe;
}

type Next = (error?: unknown) => void;
type Middleware = (request: EngineRequest, response: unknown, next: Next) => void;

/** A policy as express-gateway's plugins register it. */
export interface Policy {
  readonly name: string;
  readonly schema: object;
  readonly policy: () => Middleware;
}

/**
 * Wraps a function as a policy. The next policy runs unless the function has answered and returns `false`; an error that
 * the function throws or rejects with becomes the answer.
 */
function policy(name: string, work: (exchange: Exchange) => Promise<boolean> | boolean): Policy {
  const run = async (exchange: Exchange, working: Promise<boolean>, next: Next): Promise<void> => {
    try {
      if (await working) next();
    } catch (error) {
      exchange.fail(error);
    }
  };
  const middleware: Middleware = ({ exchange }, _response, next) => {
    if ('reached' in exchange) {
      exchange.reached.push(name);
      return next();
    }
    try {
      const goesOn = work(exchange);
      if (goesOn instanceof Promise) void run(exchange, goesOn, next);
      else if (goesOn === true) next();
    } catch (error) {
      exchange.fail(error);
    }
  };
  return { name, schema: { $id: `urn:swim:policy:${name}`, type: 'object' }, policy: () => middleware };
}

/** Gives the request its id. */
export const requestIdPolicy = policy('request-id', (exchange) => {
  exchange.identify();
  return true;
});

/** Whether the request needs an API key: everything below the base path does, except public pages and webhooks. */
function needsKey(match: Match, path: string): boolean {
  if (match.kind === 'operation') return !match.endpoint.isFeed;
  if (match.kind === 'mcp') return true;
  if (match.kind === 'page' || match.kind === 'webhook' || (match.kind === 'method' && !match.needsKey)) return false;
  return path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
}

/** Whether the request rolls the key that it presents, and can be a repetition. */
const isRepeatedRoll = ({ match, request }: Exchange, { keyId }: Principal): boolean =>
  match.kind === 'operation' &&
  match.endpoint.operation === rollKey &&
  match.values[match.endpoint.params.indexOf('key_id')] === keyId &&
  request.headers['idempotency-key'] !== undefined;

function keep(exchange: Exchange, principal: Principal): true {
  if (principal.mayOnlyRepeatRoll && !isRepeatedRoll(exchange, principal)) throw new AppError('expired_key');
  exchange.principal = principal;
  return true;
}

/** The principal of a request by the cookie of the dashboard. */
async function principalOfCookie(exchange: Exchange, env: () => Environment): Promise<boolean> {
  const { request, dependencies } = exchange;
  requireSameOrigin(request, dependencies.publicOrigin);
  try {
    return keep(exchange, await dependencies.sessions.authenticate(request, env()));
  } catch (error) {
    failSession(exchange, error);
    return false;
  }
}

function authenticate(exchange: Exchange): Promise<boolean> | boolean {
  const { match, request, dependencies } = exchange;
  const { sessions, authenticator } = dependencies;
  if (match.kind === 'dashboard') {
    if (match.endpoint.needsSession) return principalOfCookie(exchange, () => 'live');
    requireSameOrigin(request, dependencies.publicOrigin);
    return true;
  }
  if (match.kind !== 'mcp' && sessions.isOfDashboard(request))
    return principalOfCookie(exchange, () => sessions.environmentOf(request));
  const principal = authenticator.authenticate(request);
  return principal instanceof Promise ? principal.then((found) => keep(exchange, found)) : keep(exchange, principal);
}

/** Authenticates the request by its key, or by the cookie of the dashboard, unless its route needs neither. */
export const authenticatePolicy = policy('authenticate', (exchange) => {
  if (exchange.match.kind !== 'dashboard' && !needsKey(exchange.match, exchange.target.path)) return true;
  // Limits and deadlines are instants of the shared clock: before its first reading no request can be admitted.
  if (!sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  return authenticate(exchange);
});

function counted({ userLimiter, limiter }: Dependencies, principal: Principal): Promise<Admission> {
  // A user has one count for both environments.
  if (principal.userId !== undefined) return userLimiter.admit({ env: 'live', accountId: principal.userId });
  return limiter.admit(principal);
}

async function admit(exchange: Exchange, principal: Principal): Promise<true> {
  const { quota, denied } = await counted(exchange.dependencies, principal);
  exchange.quota = quota;
  if (denied) throw denied;
  return true;
}

/** Counts the request against the limits of its account, or of its user. */
export const rateLimitPolicy = policy('rate-limit', (exchange) =>
  exchange.principal === null ? true : admit(exchange, exchange.principal),
);

/** Documents change with a release; five minutes later no client has the earlier one. */
const DOCUMENT_CACHING = 'public, max-age=300';
const SECURITY_TXT_CACHING = 'public, max-age=86400';

function serveDocument(exchange: Exchange, page: 'docs' | 'openapi' | 'openapi30' | 'dashboard'): void {
  const { pages } = exchange.dependencies;
  const { path } = exchange.target;
  const document = pages.documents.get(path);
  const found = page === 'dashboard' ? pages.dashboard.find(path) : document && { document, caching: DOCUMENT_CACHING };
  if (!found && page === 'docs' && serveNotFound(exchange)) return;
  if (!found) throw new AppError('unknown_route');
  const { body, headers } = found.document.representation(exchange.request.headers);
  if (body === null) exchange.serveUnchanged(found.caching, headers);
  else exchange.serve(found.document.type, body, found.caching, headers);
}

/** Answers a browser with a page; returns whether the client is one. */
function serveNotFound(exchange: Exchange): boolean {
  const { accept = '', 'accept-encoding': encodings } = exchange.request.headers;
  const page = exchange.dependencies.pages.documents.get(NOT_FOUND_PAGE);
  if (!page || !weightOf('text/html', accept)) return false;
  const { body, headers } = page.representation({ 'accept-encoding': encodings });
  exchange.serve(page.type, body!, DOCUMENT_CACHING, headers, 404);
  return true;
}

async function servePage(exchange: Exchange, page: Exclude<Page['page'], LinkPage>): Promise<void> {
  const { pages } = exchange.dependencies;
  if (page === 'health') exchange.succeed(200, await pages.health.read(), null);
  else if (page === 'security') exchange.serve('text/plain; charset=utf-8', pages.securityTxt(), SECURITY_TXT_CACHING);
  else serveDocument(exchange, page);
}

function answerOf(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): Promise<void> {
  if (endpoint.isFeed) return exchange.dependencies.feeds.answer(exchange, endpoint, values);
  if (endpoint.isStream) return exchange.dependencies.streams.answer(exchange, endpoint, values);
  return (endpoint.isExport ? answerExport : answerOperation)(exchange, endpoint, values);
}

function pathOf(match: Match): string {
  if (match.kind === 'operation') return match.endpoint.path;
  return match.kind === 'method' ? match.path : '';
}

const RESOURCES = [...new Set(ROUTES.map(({ path }) => path.slice(BASE_PATH.length + 1).split('/', 1)[0]!))];

/** The path that an unknown one probably means: of this version, without mistakes in slashes, case and the first name. */
function meantPath({ request, principal, target: { path } }: Exchange): string {
  const below = path.toLowerCase().replace(/^\/+v\d+(?=\/)/, '');
  const [resource = '', ...more] = below.split('/').filter((part) => part !== '');
  const meant = [BASE_PATH, nearestName(resource, RESOURCES) ?? resource, ...more].join('/');
  const found = pathOf(ROUTER.match(request.method!, meant));
  return principal && !existsIn(principal.env, found) ? '' : found;
}

/** The error of an unknown path; it names the one that is probably meant, where that exists. */
function unknownRoute(exchange: Exchange): AppError {
  const meant = meantPath(exchange);
  return new AppError('unknown_route', meant ? { message: `No operation has this path. Did you mean ${meant}?` } : {});
}

const wrongMethod = (method: string, allow: string): AppError =>
  new AppError('method_not_allowed', {
    message: `This path does not support ${method}. Use ${allow.replaceAll(', ', ' or ')}.`,
  });

/** Answers the request; no policy follows. */
export const routePolicy = policy('route', (exchange) => {
  const { match, principal } = exchange;
  if (principal && !existsIn(principal.env, pathOf(match))) throw new AppError('unknown_route');
  if (match.kind === 'operation') {
    return answerOf(exchange, match.endpoint, match.values).then(() => false);
  }
  if (match.kind === 'dashboard') return answerDashboard(exchange, match.endpoint, match.values).then(() => false);
  if (match.kind === 'webhook') return answerWebhook(exchange, match.webhook).then(() => false);
  if (match.kind === 'mcp') return exchange.dependencies.mcp.answer(exchange).then(() => false);
  if (match.kind === 'unknown') throw unknownRoute(exchange);
  if (match.kind === 'method') throw wrongMethod(exchange.request.method!, match.allow);
  const { page } = match.page;
  if (isLinkPage(page)) return serveLinkPage(exchange, page).then(() => false);
  return servePage(exchange, page).then(() => false);
});
