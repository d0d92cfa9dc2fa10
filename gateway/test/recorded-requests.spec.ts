import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getMember,
  listMembers,
  listRequests,
  type RecordedRequest,
  recordRequests,
  verifyUserSession,
} from '@swim/contracts';
import { AppError, newCookieToken, newId } from '@swim/platform';
import { until } from '@swim/testing';
import { never, onePage } from './fake-services.js';
import { type GatewayHarness, type GatewayProcess, startHarness } from './harness.js';

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
  harness.services
    .requestsOf(recordRequests)
    .flatMap(({ input, context }) =>
      (input.answeredRequests as RecordedRequest[]).map((entry) => ({ ...entry, env: context.principal.env })),
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
      return new Set(own.map(({ id }) => id)).size === 3 ? own : null;
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
