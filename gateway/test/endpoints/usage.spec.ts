import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getUsage, listMembers, recordUsage, type Usage, type UsageCount, verifyUserSession } from '@swim/contracts';
import { newCookieToken, newId } from '@swim/platform';
import { until } from '@swim/testing';
import { never, onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, startHarness } from '../fixtures/harness.js';

const PER_HOUR = 400;
const PER_MINUTE = 20;

let harness: GatewayHarness;
let gateway: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  const limits = { RATE_LIMIT_PER_HOUR: String(PER_HOUR), RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) };
  gateway = await harness.gateway({ ...limits, LOG_LEVEL: 'silent' });
  harness.services.answer(listMembers, () => onePage([]));
});
afterAll(() => harness?.stop());

const statesOf = (accountId: string) =>
  harness.services
    .requestsOf(recordUsage)
    .flatMap(({ input, context }) =>
      (input.usageCounts as UsageCount[]).map((count) => ({ ...count, env: context.principal.env })),
    )
    .filter(({ account_id: id }) => id === accountId);
/** What a gateway has counted of an account, of whose counts each has its latest state. */
const countedOf = (accountId: string) => {
  const latest = new Map(statesOf(accountId).map((state) => [state.id, state]));
  const sum = (field: 'requests' | 'client_errors' | 'limited') =>
    [...latest.values()].reduce((total, count) => total + count[field], 0);
  return { requests: sum('requests'), client_errors: sum('client_errors'), limited: sum('limited') };
};

describe('requests of keys', () => {
  it('are counted in the environment of the key, with those that are rejected', async () => {
    const { text, principal } = harness.services.key({ principal: { env: 'live' } });
    await gateway.send('GET', '/v1/members', { key: text });
    await gateway.send('GET', '/v1/pupils', { key: text });
    const { accountId, keyId } = principal;
    await until(() => countedOf(accountId).requests === 2, 'both are counted');
    expect(countedOf(accountId)).toEqual({ requests: 2, client_errors: 1, limited: 0 });
    for (const { env, key_id: key, hour } of statesOf(accountId))
      expect([env, key, Date.parse(hour) % 3_600_000]).toEqual(['live', keyId, 0]);
  });

  it('above the limit are counted apart, every one', async () => {
    const { text, principal } = harness.services.key();
    const answers = await Promise.all(
      Array.from({ length: 4 * PER_MINUTE }, () => gateway.send('GET', '/v1/members', { key: text })),
    );
    const limited = answers.filter(({ status }) => status === 429).length;
    expect(limited).toBeGreaterThan(0);
    const counted = () => countedOf(principal.accountId);
    // A state may have been handed over between the last rejection and the last answer of the service.
    await until(() => counted().requests + counted().limited === answers.length, 'all are counted');
    expect(counted()).toEqual({ requests: answers.length - limited, client_errors: 0, limited });
  });

  it('are counted whole once notification answers again', async () => {
    const { text, principal } = harness.services.key();
    harness.services.answer(recordUsage, never);
    await gateway.send('GET', '/v1/members', { key: text });
    await until(() => countedOf(principal.accountId).requests === 1, 'the gateway tries to store the count');
    await gateway.send('GET', '/v1/members', { key: text });
    harness.services.answer(recordUsage, () => ({}));
    await until(() => countedOf(principal.accountId).requests === 2, 'both are counted');
  });

  it('are handed over by a gateway that stops', async () => {
    const stopping = await harness.gateway();
    const { text, principal } = harness.services.key();
    await stopping.send('GET', '/v1/members', { key: text });
    await stopping.stop();
    expect(countedOf(principal.accountId).requests).toBe(1);
  });
});

describe('requests of a user of the dashboard', () => {
  it('are not counted', async () => {
    const [accountId, userId] = [newId('acct'), newId('usr')];
    harness.services.answer(verifyUserSession, () => ({
      principal: { accountId, userId, keyId: userId, kind: 'school', env: 'test', scopes: ['members:read'] },
      expiresAt: null,
      ipAllowlist: [],
    }));
    const cookie = `__Host-swim_session=${newCookieToken(newId('uss')).token}`;
    const headers = { cookie, 'swim-environment': 'sandbox' };
    expect((await gateway.send('GET', '/v1/members', { headers })).status).toBe(200);
    const { text, principal } = harness.services.key();
    await gateway.send('GET', '/v1/members', { key: text });
    // Counted later than that of the user would have been.
    await until(() => countedOf(principal.accountId).requests === 1, 'the request of the key is counted');
    expect(statesOf(accountId)).toEqual([]);
  });
});

describe('GET /usage', () => {
  const NOTHING = { requests: 0, client_errors: 0, server_errors: 0, limited: 0 };
  const ANSWERED: Usage = {
    date_from: '2027-03-01T10:00:00.000Z',
    date_to: '2027-03-01T11:00:00.000Z',
    totals: NOTHING,
    hours: [{ start: '2027-03-01T10:00:00.000Z', ...NOTHING }],
  };
  beforeAll(() => harness.services.answer(getUsage, () => ANSWERED));

  it('has the limits of the gateway beside what notification has counted', async () => {
    const { status, body } = await gateway.send('GET', '/v1/usage', { key: harness.services.key().text });
    const limits = { per_hour: PER_HOUR, per_minute: PER_MINUTE };
    expect([status, body.data]).toEqual([200, { limits, ...ANSWERED }]);
  });

  it('has them for an assistant as well', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_usage', arguments: {} } };
    const { body } = await gateway.send('POST', '/mcp', {
      key: harness.services.key().text,
      headers: { accept: 'application/json, text/event-stream' },
      body: call,
    });
    const { result } = body as unknown as { result: { content: { text: string }[] } };
    const { data } = JSON.parse(result.content[0]!.text) as { data: Usage };
    expect(data.limits).toEqual({ per_hour: PER_HOUR, per_minute: PER_MINUTE });
  });

  it('needs keys:read', async () => {
    const { text } = harness.services.key({ principal: { scopes: ['members:read'] } });
    const { status, body } = await gateway.send('GET', '/v1/usage', { key: text });
    expect([status, body.error?.details.reason]).toEqual([403, 'missing_scope']);
  });
});
