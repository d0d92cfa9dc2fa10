import { describe, expect, it } from '@jest/globals';
import type { Operation } from '@swim/contracts';
import * as contracts from '@swim/contracts';
import { DASHBOARD_ROUTES } from './dashboard/routes.js';
import { EXPORT_PARTS } from './operations/account-export.js';
import { PAGES } from './public-pages.js';
import { inputShapeOf, paramsOf, Router } from './router.js';
import { ROUTES, WEBHOOKS } from './routes.js';

const router = new Router(ROUTES, PAGES, WEBHOOKS);
const found = (method: string, path: string) => {
  const match = router.match(method, path);
  return match.kind === 'operation' ? [match.endpoint.operation.name, ...match.values] : match.kind;
};

describe('the router', () => {
  it('finds every route of the table, with the values of its parameters', () => {
    for (const { method, path, operation } of ROUTES) {
      const values = paramsOf(path).map((name) => `a-${name}`);
      const target = path.replace(/\{(\w+)\}/g, 'a-$1');
      expect([method, path, found(method, target)]).toEqual([method, path, [operation.name, ...values]]);
    }
  });

  it('answers 200 to what ends something, as to any other change of it', () => {
    const ending = ROUTES.filter(({ path }) => /\/(cancel|complete|capture|void|revoke)$/.test(path));
    expect(ending.map(({ path, status }) => [path, status])).toEqual(ending.map(({ path }) => [path, 200]));
    expect(ending).toHaveLength(7);
  });

  it('takes a literal segment before a parameter', () => {
    const { operation } = ROUTES[0]!;
    const row = (path: string) => ({ method: 'GET', path, operation, scope: 'sessions:read', status: 200 }) as const;
    const small = new Router([row('/things/{id}'), row('/things/mine')], []);
    const match = small.match('GET', '/things/mine');
    expect(match.kind === 'operation' && match.endpoint.path).toBe('/things/mine');
  });

  it('takes a path of no other route for the pattern above it that has the rest of a path', () => {
    const { operation } = ROUTES[0]!;
    const row = { method: 'GET', path: '/page/api/{id}', operation, scope: 'sessions:read', status: 200 } as const;
    const small = new Router([row], [{ method: 'GET', path: '/page/{rest...}', page: 'dashboard' }]);
    const kinds = ['/page/', '/page/a/b', '/page/api', '/page/api/1/2', '/page/api/1', '/page', '/pages/a'];
    expect(kinds.map((path) => [path, small.match('GET', path).kind])).toEqual([
      ['/page/', 'page'],
      ['/page/a/b', 'page'],
      ['/page/api', 'page'],
      ['/page/api/1/2', 'page'],
      ['/page/api/1', 'operation'],
      ['/page', 'page'],
      ['/pages/a', 'unknown'],
    ]);
    expect(small.match('POST', '/page/a/b')).toMatchObject({ kind: 'method', allow: 'GET, HEAD', needsKey: false });
  });

  it('knows no path that is not in the table, however similar', () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/',
      '/v1/sessions/',
      '/v1//sessions',
      '/v2/sessions',
      '/v1/Sessions',
      '/sessions',
      '/v1/sessions/a/b',
      '/v1/nothing',
      '*',
    ]) {
      expect([path, found('GET', path)]).toEqual([path, 'unknown']);
    }
  });

  it('names the methods of a path that lacks the requested one', () => {
    expect(router.match('PUT', '/v1/sessions')).toMatchObject({ kind: 'method', allow: 'GET, HEAD, POST' });
    expect(router.match('OPTIONS', '/v1/sessions/ses_1')).toMatchObject({ kind: 'method', allow: 'GET, HEAD, PATCH' });
    expect(router.match('GET', '/v1/sessions/ses_1/cancel')).toMatchObject({ kind: 'method', allow: 'POST' });
    expect(router.match('POST', '/v1/health')).toMatchObject({ kind: 'method', needsKey: false });
  });

  it('finds for HEAD what GET has', () => {
    expect(found('HEAD', '/v1/sessions')).toEqual(['scheduling.listSessions']);
  });

  it('decodes percent signs in segments, and rejects those that mean nothing', () => {
    expect(found('GET', '/v1/sessions/a%2Fb')).toEqual(['scheduling.getSession', 'a/b']);
    expect(found('GET', '/v1/%73essions')).toEqual(['scheduling.listSessions']);
    expect(() => router.match('GET', '/v1/sessions/%zz')).toThrow(expect.objectContaining({ reason: 'malformed_url' }));
    expect(() => router.match('GET', '/v1/sessions/%ff')).toThrow(expect.objectContaining({ reason: 'malformed_url' }));
  });
});

describe('the table of routes', () => {
  it('serves every operation of the contracts that is not spoken between services only', () => {
    const exported: unknown[] = Object.values(contracts);
    const operations = exported.filter(
      (each): each is Operation => typeof each === 'object' && each !== null && 'subject' in each,
    );
    // Between services names are camelCase, in public snake_case.
    const { readClock, confirmEmail, changeSubscription } = contracts;
    // Requested by the gateway for itself, for the pages to which e-mails link, and for the dashboard.
    const ofDashboard = DASHBOARD_ROUTES.map(({ operation }) => operation);
    const own = new Set<unknown>([readClock, confirmEmail, changeSubscription, ...ofDashboard]);
    const isPublic = (operation: Operation) =>
      operation.callers.includes('gateway') &&
      !own.has(operation) &&
      !Object.keys(inputShapeOf(operation)).some((name) => /[A-Z]/.test(name));
    // Lists that have no route of their own are parts of an export.
    const served = new Set<Operation>([...ROUTES, ...EXPORT_PARTS, ...WEBHOOKS].map(({ operation }) => operation));
    expect(operations.filter((each) => isPublic(each) && !served.has(each)).map(({ name }) => name)).toEqual([]);
    expect(operations.filter((each) => !isPublic(each) && served.has(each)).map(({ name }) => name)).toEqual([]);
    expect(operations.length).toBeGreaterThan(30);
  });

  it('gives every parameter of a path to the operation, except an account_id that only restricts the key', () => {
    const strangers = ROUTES.flatMap(({ path, operation }) =>
      paramsOf(path).filter((name) => !(name in inputShapeOf(operation)) && name !== 'account_id'),
    );
    expect(strangers).toEqual([]);
  });

  it('reads by GET only what has no effect, and writes by everything else', () => {
    // A stream takes a place among those of its account while it is open.
    const wrong = ROUTES.filter(
      ({ method, operation, isStream }) => (method === 'GET') === (operation.kind === 'write') && !isStream,
    );
    expect(wrong).toEqual([]);
  });

  it('takes changes by PATCH and by nothing else', () => {
    const wrong = ROUTES.filter(
      ({ method, operation }) => (method === 'PATCH') !== 'changes' in inputShapeOf(operation),
    );
    expect(wrong).toEqual([]);
  });
});
