import type { Environment } from '@swim/contracts';
import { AppError } from '@swim/platform';
import type { z } from 'zod';
import { DASHBOARD_ROUTES, type DashboardRoute } from './dashboard/routes.js';
import { PAGES, type Page } from './public-pages.js';
import { BASE_PATH, MCP_PATH, ROUTES, type Route, WEBHOOKS, type Webhook } from './routes.js';

/** A route with values that every request needs, computed once. */
export interface Endpoint extends Route {
  /** Names of the path's parameters, in order. */
  readonly params: readonly string[];
  /** The parameters that belong to the operation's input. */
  readonly inputParams: ReadonlySet<string>;
  /** Whether the body is the member `changes` of the input. */
  readonly isPatch: boolean;
  /** Position of the `account_id` among the parameters that the request acts for; -1 without. */
  readonly accountParam: number;
}

/** A route of the dashboard's own, with the values that every request needs. */
export type DashboardEndpoint = Endpoint & Pick<DashboardRoute, 'needsSession' | 'setsCookies' | 'gives'>;

/** The result of a method and path. */
export type Match =
  | { readonly kind: 'operation'; readonly endpoint: Endpoint; readonly values: readonly string[] }
  | { readonly kind: 'dashboard'; readonly endpoint: DashboardEndpoint; readonly values: readonly string[] }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'webhook'; readonly webhook: Webhook }
  /** The endpoint of the Model Context Protocol. */
  | { readonly kind: 'mcp' }
  /** The path exists, but only has these methods (the value of `Allow`). */
  | { readonly kind: 'method'; readonly allow: string; readonly path: string; readonly needsKey: boolean }
  | { readonly kind: 'unknown' };

type Leaf =
  | { readonly kind: 'operation'; readonly endpoint: Endpoint }
  | { readonly kind: 'dashboard'; readonly endpoint: DashboardEndpoint }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'webhook'; readonly webhook: Webhook }
  | { readonly kind: 'mcp' };

interface Node {
  readonly literals: Map<string, Node>;
  param: Node | null;
  /** The node of all paths below that have no node of their own. */
  rest: Node | null;
  readonly leaves: Map<string, Leaf>;
  path: string;
}

const UNKNOWN: Match = { kind: 'unknown' };
const PARAM = /^\{(\w+)\}$/;
/** The last segment of a pattern which stands for any number of them, none included. */
const REST = /^\{\w+[.]{3}\}$/;

const node = (): Node => ({ literals: new Map(), param: null, rest: null, leaves: new Map(), path: '' });

const SANDBOX_PATH = `${BASE_PATH}/sandbox/`;

/** Whether a path exists in an environment: what is below `/v1/sandbox` does not for live keys (contract, Sandbox). */
export const existsIn = (env: Environment, path: string): boolean => env === 'test' || !path.startsWith(SANDBOX_PATH);

/** Names of the parameters of a path pattern. */
export const paramsOf = (path: string): string[] =>
  path.split('/').flatMap((segment) => PARAM.exec(segment)?.[1] ?? []);

/** Members of an operation's input. */
export const inputShapeOf = (operation: Route['operation']): z.ZodRawShape => (operation.input as z.ZodObject).shape;

/** A route with its computed values. */
export function endpointOf(route: Route): Endpoint {
  const params = paramsOf(route.path);
  const shape = inputShapeOf(route.operation);
  return {
    ...route,
    params,
    inputParams: new Set(params.filter((name) => name in shape)),
    isPatch: route.method === 'PATCH',
    accountParam: route.isOfFamily ? -1 : params.indexOf('account_id'),
  };
}

// The body of its PATCH is the input itself.
const dashboardEndpointOf = (route: DashboardRoute): DashboardEndpoint => ({
  ...route,
  ...endpointOf({ ...route, scope: null }),
  isPatch: false,
});

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError('malformed_url', { field: 'path' });
  }
};

/**
 * Finds the route of a request: a tree of path segments, built once. A literal segment has precedence over a parameter, and both
 * over `{rest...}`, which stands for all that follows, if anything does.
 */
export class Router {
  private readonly root = node();

  constructor(
    routes: readonly Route[],
    pages: readonly Page[],
    webhooks: readonly Webhook[] = [],
    dashboard: readonly DashboardRoute[] = [],
  ) {
    for (const webhook of webhooks) this.add(webhook.method, webhook.path, { kind: 'webhook', webhook });
    this.add('POST', MCP_PATH, { kind: 'mcp' });
    for (const page of pages) this.add(page.method, page.path, { kind: 'page', page });
    for (const route of routes) this.add(route.method, route.path, { kind: 'operation', endpoint: endpointOf(route) });
    for (const route of dashboard)
      this.add(route.method, route.path, { kind: 'dashboard', endpoint: dashboardEndpointOf(route) });
  }

  /** `path` starts with a slash and is percent-encoded; HEAD has the routes of GET. Throws `malformed_url`. */
  match(method: string, path: string): Match {
    const isEncoded = path.includes('%');
    const values: string[] = [];
    let at = this.root;
    let rest: Node | null = null;
    for (let start = 1, end = 0; end >= 0; start = end + 1) {
      end = path.indexOf('/', start);
      const raw = end < 0 ? path.slice(start) : path.slice(start, end);
      const segment = isEncoded ? decoded(raw) : raw;
      rest = at.rest ?? rest;
      const literal = at.literals.get(segment);
      if (!literal && (!at.param || segment === '')) return rest ? matchAt(rest, method, []) : UNKNOWN;
      if (!literal) values.push(segment);
      at = literal ?? at.param!;
    }
    if (at.leaves.size > 0) return matchAt(at, method, values);
    rest = at.rest ?? rest;
    return rest ? matchAt(rest, method, []) : UNKNOWN;
  }

  private add(method: string, path: string, leaf: Leaf): void {
    let at = this.root;
    for (const segment of path.slice(1).split('/')) {
      at = childOf(at, segment);
    }
    if (at.leaves.has(method)) throw new Error(`${method} ${path} is in the table of routes twice.`);
    at.leaves.set(method, leaf);
    at.path = path;
  }
}

function childOf(at: Node, segment: string): Node {
  const known = REST.test(segment) ? at.rest : PARAM.test(segment) ? at.param : at.literals.get(segment);
  if (known) return known;
  const next = node();
  if (REST.test(segment)) at.rest = next;
  else if (PARAM.test(segment)) at.param = next;
  else at.literals.set(segment, next);
  return next;
}

function matchAt(at: Node, method: string, values: readonly string[]): Match {
  const leaf = at.leaves.get(method === 'HEAD' ? 'GET' : method);
  if (!leaf) return notAllowed(at);
  return leaf.kind === 'operation' || leaf.kind === 'dashboard' ? ({ ...leaf, values } as Match) : leaf;
}

function notAllowed({ leaves, path }: Node): Match {
  const methods = [...leaves.keys()];
  if (leaves.has('GET')) methods.push('HEAD');
  return {
    kind: 'method',
    allow: methods.sort().join(', '),
    path,
    needsKey: [...leaves.values()].every((leaf) => leaf.kind === 'operation' && !leaf.endpoint.isFeed),
  };
}

/** The routes of the whole public API, and of the dashboard. */
export const ROUTER = new Router(ROUTES, PAGES, WEBHOOKS, DASHBOARD_ROUTES);
