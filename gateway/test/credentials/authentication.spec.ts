import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getInstructor, listSessions, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId, parseApiKey } from '@swim/platform';
import { ofSeveralTries } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import {
  type Answered,
  type GatewayHarness,
  type GatewayProcess,
  NO_LIMITS,
  startHarness,
} from '../fixtures/harness.js';
import { withinOneMinute } from '../fixtures/one-minute.js';

let harness: GatewayHarness;
let gateway: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  gateway = await harness.gateway(NO_LIMITS);
  harness.services.answer(listSessions, () => onePage([]));
  harness.services.answer(getInstructor, () => ({}));
});
afterAll(() => harness?.stop());

const sessions = (authorization: string | undefined, to = gateway, headers: Record<string, string> = {}) =>
  to.send('GET', '/v1/sessions', {
    headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
  });
const withKey = (text: string, to = gateway, headers: Record<string, string> = {}) =>
  sessions(`Bearer ${text}`, to, headers);
const lookUps = () => harness.services.requestsOf(verifyKey).length;

describe('without a key', () => {
  it('everything below /v1 is 401, known or not, whatever the method', async () => {
    for (const [method, path] of [
      ['GET', '/v1/sessions'],
      ['POST', '/v1/bookings'],
      ['PUT', '/v1/sessions'],
      ['OPTIONS', '/v1/sessions'],
      ['GET', '/v1/nothing'],
      ['GET', '/v1'],
      ['GET', '/v1/'],
    ]) {
      const answer = await gateway.send(method!, path!);
      expectError(answer, 401, 'missing_key');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it('a large body is not read: the error arrives all the same', () =>
    ofSeveralTries(async () => {
      const raw = 'x'.repeat(8 * 1024 * 1024);
      const answer = await gateway.send('POST', '/v1/bookings', {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expectError(answer, 401, 'missing_key');
    }));
});

describe('what is no key', () => {
  it('is rejected without a look-up', async () => {
    const { text } = harness.services.key();
    const before = lookUps();
    const flipped = text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
    for (const authorization of [
      `Basic ${btoa('a:b')}`,
      'Bearer',
      'Bearer x',
      `Bearer ${flipped}`,
      `Token ${text}`,
      text,
      `Bearer ${text} ${text}`,
      `Bearer ${text.slice(0, 40)}`,
    ]) {
      expectError(await sessions(authorization), 401, 'malformed_key');
    }
    expectError(await gateway.send('GET', `/v1/sessions?api_key=${text}`), 401, 'missing_key');
    expect(lookUps()).toBe(before);
  });
});

describe('a key', () => {
  it('lets its account in, and is looked up once', () =>
    ofSeveralTries(async () => {
      const { text, principal } = harness.services.key();
      const before = lookUps();
      await Promise.all(Array.from({ length: 20 }, () => withKey(text)));
      expect((await sessions(`bearer  ${text} `)).status).toBe(200);
      expect(lookUps()).toBe(before + 1);
      expect(harness.services.requestsOf(listSessions).at(-1)!.context.principal).toEqual(principal);
    }));

  it.each(['unknown_key', 'expired_key', 'revoked_key'] as const)(
    'that is an %s is 401, and looked up again after 5 seconds only',
    (rejection) =>
      ofSeveralTries(async () => {
        const { text } = harness.services.key({ rejection });
        const before = lookUps();
        for (let round = 0; round < 3; round++) expectError(await withKey(text), 401, rejection);
        expect(lookUps()).toBe(before + 1);
      }),
  );

  it('that nobody made is an unknown one', async () => {
    expectError(await withKey(formatApiKey('live', newId('key'))), 401, 'unknown_key');
  });

  it('of the other environment is rejected on a host that serves one, before any look-up', async () => {
    const pinned = await harness.gateway({ ...NO_LIMITS, PINNED_ENVIRONMENT: 'live' });
    const [sandbox, live] = [harness.services.key(), harness.services.key({ principal: { env: 'live' } })];
    const before = lookUps();
    expectError(await withKey(sandbox.text, pinned), 401, 'wrong_environment');
    expect(lookUps()).toBe(before);
    expect((await withKey(live.text, pinned)).status).toBe(200);
    expect((await withKey(live.text)).status).toBe(200);
  });

  it('with an allow-list is good from its addresses only, and nobody lends himself another by a header', async () => {
    const [here, elsewhere] = [
      harness.services.key({ ipAllowlist: ['127.0.0.0/8'] }).text,
      harness.services.key({ ipAllowlist: ['192.0.2.0/24'] }).text,
    ];
    expect((await withKey(here)).status).toBe(200);
    expectError(await withKey(elsewhere), 401, 'address_not_allowed');
    expectError(await withKey(elsewhere, gateway, { 'x-forwarded-for': '192.0.2.9' }), 401, 'address_not_allowed');
    const behindProxy = await harness.gateway({ ...NO_LIMITS, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    expect((await withKey(elsewhere, behindProxy, { 'x-forwarded-for': '1.1.1.1, 192.0.2.9, 10.0.0.1' })).status).toBe(
      200,
    );
    expectError(
      await withKey(elsewhere, behindProxy, { 'x-forwarded-for': '192.0.2.9, 1.1.1.1' }),
      401,
      'address_not_allowed',
    );
  });

  it('that cannot be looked up is 503, never 401; one that is known goes on', async () => {
    const [known, unknown] = [harness.services.key().text, harness.services.key().text];
    await withKey(known);
    harness.services.answer(verifyKey, () => Promise.reject(new AppError('unavailable')));
    try {
      const answer = await withKey(unknown);
      expectError(answer, 503, 'unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await withKey(known)).status).toBe(200);
    } finally {
      harness.services.resumeKeyVerification();
    }
    expect((await withKey(unknown)).status).toBe(200);
  });
});

describe('failed attempts', () => {
  it('of one address are 429 after 20 within a minute; a missing key does not count, and a valid key is never rejected', async () => {
    const strict = await harness.gateway({ TRUSTED_PROXIES: '127.0.0.1' });
    const valid = harness.services.key().text;
    const revoked = harness.services.key({ rejection: 'revoked_key' }).text;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const attempts = async (address: string) => {
      const answers: Answered[] = [];
      for (let round = 0; round < 30; round++) answers.push(await sessions(undefined, strict, from(address)));
      for (let round = 0; round < 15; round++)
        answers.push(await withKey(round % 2 ? 'junk' : revoked, strict, from(address)));
      for (let round = 0; round < 11; round++)
        answers.push(await withKey(formatApiKey('test', newId('key')), strict, from(address)));
      return answers;
    };
    let tries = 0;
    // Each try comes from an address of its own.
    const answers = await withinOneMinute(() => attempts(`192.0.2.${10 + ++tries}`));
    const statuses = [...Array.from({ length: 50 }, () => 401), ...Array.from({ length: 6 }, () => 429)];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    const rejected = answers.at(-1)!;
    expectError(rejected, 429, 'authentication_attempts');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await withKey(valid, strict, from(`192.0.2.${10 + tries}`))).status).toBe(200);
    expectError(await withKey('junk', strict, from('192.0.2.2')), 401, 'malformed_key');
    expectError(await sessions(undefined, strict, from('192.0.2.1')), 401, 'missing_key');
  });

  const guesses = async (strict: GatewayProcess, address: string) => {
    const from = (other: string) => ({ 'x-forwarded-for': other });
    let [running, most] = [0, 0];
    harness.services.answer(verifyKey, async ({ input }) => {
      most = Math.max(most, ++running);
      // So that concurrent look-ups are seen.
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return harness.services.verdictOn(String(input.keyId));
    });
    const [known, fresh] = [harness.services.key().text, harness.services.key().text];
    const ofKnown = await withKey(known, strict, from(address));
    const pending = Array.from({ length: 60 }, () =>
      withKey(formatApiKey('test', newId('key')), strict, from(address)),
    );
    const [ofOther, ofOwn] = await Promise.all([
      withKey(fresh, strict, from('192.0.2.250')),
      withKey(known, strict, from(address)),
    ]);
    return { answers: await Promise.all(pending), mostAtOnce: most, ofValid: [ofKnown, ofOther, ofOwn] };
  };

  it('by made-up keys reach people 20 at once and then one by one; valid keys are let in all the while', async () => {
    const strict = await harness.gateway({ TRUSTED_PROXIES: '127.0.0.1' });
    let tries = 0;
    const guessing = withinOneMinute(() => guesses(strict, `192.0.2.${100 + ++tries}`));
    const { answers, mostAtOnce, ofValid } = await guessing.finally(() => harness.services.resumeKeyVerification());
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 20 }, () => 401),
      ...Array.from({ length: 40 }, () => 429),
    ]);
    expect(ofValid.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Twenty of the network that guesses, the first of its queue, and the other network's.
    expect(mostAtOnce).toBeLessThanOrEqual(22);
    const valid = harness.services.key().text;
    expect((await withKey(valid, strict, { 'x-forwarded-for': `192.0.2.${100 + tries}` })).status).toBe(200);
  });
});

describe('the log', () => {
  it('names the presented key and the network of each request, let in or not', async () => {
    const talkative = await harness.gateway({ ...NO_LIMITS, LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1' });
    const made = formatApiKey('live', newId('key'));
    const revoked = harness.services.key({ rejection: 'revoked_key' });
    const requests: [string, string | undefined, string][] = [
      ['log-unknown', `Bearer ${made}`, '192.0.2.7'],
      ['log-revoked', `Bearer ${revoked.text}`, '2001:db8:1:2:3::4'],
      ['log-junk', 'Bearer junk', '192.0.2.8'],
      ['log-none', undefined, '198.51.100.9'],
    ];
    for (const [id, authorization, address] of requests)
      expect(
        (await sessions(authorization, talkative, { 'x-request-id': id, 'x-forwarded-for': address })).status,
      ).toBe(401);
    await talkative.stop();
    const lines = talkative.output().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (id: string) => {
      const { keyId, network, status } = entries.find(({ requestId }) => requestId === id)!;
      return [keyId, network, status];
    };
    expect(requests.map(([id]) => of(id))).toEqual([
      [parseApiKey(made)!.keyId, '192.0.2.0/24', 401],
      [revoked.principal.keyId, '2001:db8:1:2::/64', 401],
      [undefined, '192.0.2.0/24', 401],
      [undefined, '198.51.100.0/24', 401],
    ]);
    expect(talkative.output()).not.toMatch(/192\.0\.2\.[78]\b/);
    expect(talkative.output()).not.toContain(made.slice(40, 80));
  });
});
