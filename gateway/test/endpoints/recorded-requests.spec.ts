import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPool,
  getMember,
  listMembers,
  listRequests,
  type RecordedAction,
  type RecordedRequest,
  recordRequests,
  recordUserActions,
  removePool,
  verifyUserSession,
} from '@swim/contracts';
import { AppError, newCookieToken, newId } from '@swim/platform';
import { until } from '@swim/testing';
import { never, onceEach, onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, startHarness } from '../fixtures/harness.js';

const PER_MINUTE = 20;

let harness: GatewayHarness;
let gateway: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway({ RATE_LIMIT_PER_MINUTE: String(PER_MINUTE), LOG_LEVEL: 'silent' });
  harness.services.answer(listMembers, () => onePage([]));
  harness.services.answer(listRequests, () => onePage([]));
  harness.services.answer(getMember, () => {
    throw new AppError('resource_not_found');
  });
});
afterAll(() => harness?.stop());

const send = (path: string, key?: string, headers: Record<string, string> = {}) =>
  gateway.send('GET', path, { key, headers });
const handedOver = () =>
  onceEach(
    harness.services
      .requestsOf(recordRequests)
      .flatMap(({ input, context }) =>
        (input.answeredRequests as RecordedRequest[]).map((entry) => ({ ...entry, env: context.principal.env })),
      ),
  );
/** The entries of an account, once there are so many. */
const entriesOf = (accountId: string, count: number) =>
  until(() => {
    const own = handedOver().filter(({ account_id: id }) => id === accountId);
    return own.length >= count ? own : null;
  }, `${count} requests are recorded`);

describe('an answered request', () => {
  it('is recorded with its key, path and status in the environment of the key, without text of the client', async () => {
    const { text, principal } = harness.services.key({ principal: { env: 'live' } });
    const answer = await send('/v1/members?search=Canary&limit=5', text, { 'x-canary': 'Canary' });
    const [entry] = await entriesOf(principal.accountId, 1);
    expect(entry).toEqual({
      id: expect.stringMatching(/^rlog_/),
      env: 'live',
      account_id: principal.accountId,
      request_id: answer.body.meta.request_id,
      method: 'GET',
      path: '/v1/members',
      query: { search: '[redacted]', limit: '5' },
      status: 200,
      reason: null,
      duration_ms: expect.any(Number),
      key_id: principal.keyId,
      user_id: null,
      network: '127.0.0.0/24',
    });
    expect(JSON.stringify(harness.services.requestsOf(recordRequests).map(({ input }) => input))).not.toContain(
      'Canary',
    );
  });

  it('is recorded with the reason of its error, also where no route has the path', async () => {
    const { text, principal } = harness.services.key();
    const id = newId('mem');
    await send(`/v1/members/${id}`, text);
    await send('/v1/pupils/canary', text);
    const entries = await entriesOf(principal.accountId, 2);
    expect(entries.map(({ path, status, reason }) => [path, status, reason])).toEqual([
      [`/v1/members/${id}`, 404, 'resource_not_found'],
      [null, 404, 'unknown_route'],
    ]);
  });

  it('is recorded with the user where a page of the dashboard made it', async () => {
    const accountId = newId('acct');
    const userId = newId('usr');
    harness.services.answer(verifyUserSession, () => ({
      principal: { accountId, userId, keyId: userId, kind: 'school', env: 'test', scopes: ['members:read'] },
      expiresAt: null,
      ipAllowlist: [],
    }));
    const cookie = `__Host-swim_session=${newCookieToken(newId('uss')).token}`;
    await send('/v1/members', undefined, { cookie, 'swim-environment': 'sandbox' });
    const [entry] = await entriesOf(accountId, 1);
    expect(entry).toMatchObject({ key_id: null, user_id: userId, path: '/v1/members', env: 'test' });
  });

  it('is not recorded where it has no account, or reads the log', async () => {
    const { text, principal } = harness.services.key();
    await send('/v1/members');
    await send('/v1/requests', text);
    await send('/health');
    await send('/v1/members', text);
    const before = handedOver().length;
    expect(await entriesOf(principal.accountId, 1)).toHaveLength(1);
    expect(
      handedOver()
        .slice(before)
        .every(({ path }) => path === '/v1/members'),
    ).toBe(true);
  });
});

describe('a write of a user of the dashboard', () => {
  const POOL = { name: 'Bath', address: 'Water St', latitude: 0, longitude: 0, timezone: 'UTC', lanes: null };
  const aUser = () => {
    const [accountId, userId] = [newId('acct'), newId('usr')];
    const scopes = ['instructors:write', 'members:read'] as const;
    harness.services.answer(verifyUserSession, () => ({
      principal: { accountId, userId, keyId: userId, kind: 'school', env: 'test', scopes: [...scopes] },
      expiresAt: null,
      ipAllowlist: [],
    }));
    const headers = {
      cookie: `__Host-swim_session=${newCookieToken(newId('uss')).token}`,
      'swim-environment': 'sandbox',
      'swim-dashboard': '1',
      origin: gateway.origin,
    };
    return { accountId, userId, headers };
  };
  const actionsOf = (userId: string) =>
    onceEach(
      harness.services
        .requestsOf(recordUserActions)
        .flatMap(({ input, context }) =>
          (input.userActions as RecordedAction[]).map((action) => ({ ...action, env: context.principal.env })),
        )
        .filter(({ user_id: id }) => id === userId),
    );

  it('is in the activity of its account with its route and object; reads, dry runs, errors and keys are not', async () => {
    const { accountId, userId, headers } = aUser();
    const pool = newId('pool');
    harness.services.answer(createPool, () => ({
      ...POOL,
      id: pool,
      account_id: accountId,
      metadata: {},
      created_at: '2027-03-01T10:00:00.000Z',
      updated_at: '2027-03-01T10:00:00.000Z',
    }));
    harness.services.answer(removePool, ({ input: { pool_id: id } }) => {
      if (id !== pool) throw new AppError('resource_not_found');
      return {};
    });
    const change = (method: string, path: string, body?: object) => gateway.send(method, path, { headers, body });
    await change('POST', '/v1/pools?dry_run=true', POOL);
    await change('DELETE', `/v1/pools/${newId('pool')}`);
    await gateway.send('GET', '/v1/members', { headers });
    await gateway.send('POST', '/v1/pools', { key: harness.services.key().text, body: POOL });
    expect((await change('POST', '/v1/pools', POOL)).status).toBe(201);
    expect((await change('DELETE', `/v1/pools/${pool}`)).status).toBe(204);
    const actions = await until(() => {
      const own = actionsOf(userId);
      return own.length >= 2 ? own : null;
    }, 'both writes are recorded');
    const entry = { account_id: accountId, user_id: userId, object: pool, network: '127.0.0.0/24', env: 'test' };
    expect(actions.map(({ id: _, ...rest }) => rest)).toEqual([
      { ...entry, action: 'POST /v1/pools' },
      { ...entry, action: 'DELETE /v1/pools/{pool_id}' },
    ]);
  });
});

describe('while notification does not answer', () => {
  it('requests are answered as ever, and are recorded once it does', async () => {
    const { text, principal } = harness.services.key();
    harness.services.answer(recordRequests, never);
    const before = harness.services.requestsOf(recordRequests).length;
    const answers = [await send('/v1/members', text), await send('/v1/members', text)];
    await until(() => harness.services.requestsOf(recordRequests).length > before, 'the gateway tries to record them');
    answers.push(await send('/v1/members', text));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    harness.services.answer(recordRequests, () => ({}));
    const recorded = await until(() => {
      const own = handedOver().filter(({ account_id: id }) => id === principal.accountId);
      return own.length === 3 ? own : null;
    }, 'all three are recorded');
    // The repeated batch has the same ids, under which notification stores an entry once.
    expect(new Set(recorded.map(({ request_id: id }) => id)).size).toBe(3);
  });
});

describe('a client that goes on above its limit', () => {
  it('does not fill the log: the rest of its requests is counted by a metric', async () => {
    const { text, principal } = harness.services.key();
    const answers = await Promise.all(Array.from({ length: 4 * PER_MINUTE }, () => send('/v1/members', text)));
    const rejected = answers.filter(({ status }) => status === 429).length;
    expect(rejected).toBeGreaterThan(10);
    const lost = async () => {
      const text = await (await fetch(`http://127.0.0.1:${gateway.healthPort}/metrics`)).text();
      return Number(/swim_request_log_lost_total\{reason="rate_limited"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const own = () => handedOver().filter(({ account_id: id }) => id === principal.accountId);
    await until(async () => own().length + (await lost()) === answers.length, 'each is recorded or counted');
    expect(await lost()).toBeGreaterThan(0);
  });
});

describe('a gateway that stops', () => {
  it('records what it has answered first', async () => {
    const stopping = await harness.gateway();
    const { text, principal } = harness.services.key();
    await stopping.send('GET', '/v1/members', { key: text });
    await stopping.stop();
    expect(await entriesOf(principal.accountId, 1)).toHaveLength(1);
  });
});
