import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getInstructor, listSessions, verifyKey } from '@swim/contracts';
import { keyStream, keySubject } from '@swim/messaging';
import { AppError, newId, parseApiKey } from '@swim/platform';
import { ChaosProxy, ofSeveralTries, until } from '@swim/testing';
import { expectError } from '../fixtures/expectations.js';
import { onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

// Some wait for a deadline or a connection, several times where this machine is busy.
let harness: GatewayHarness;
let gateways: GatewayProcess[];
let proxy: ChaosProxy;
/** Reaches NATS through the proxy. */
let remote: GatewayProcess;

beforeAll(async () => {
  harness = await startHarness();
  proxy = await ChaosProxy.before(harness.nats.url);
  const throughProxy = { ...NO_LIMITS, NATS_URL: proxy.uri };
  gateways = await Promise.all([harness.gateway(NO_LIMITS), harness.gateway(NO_LIMITS)]);
  remote = await harness.gateway(throughProxy);
  harness.services.answer(listSessions, () => onePage([]));
  harness.services.answer(getInstructor, () => ({}));
});
beforeEach(() => harness.services.resumeKeyVerification());
afterAll(async () => {
  await harness?.stop();
  await proxy?.close();
});

const send = (gateway: GatewayProcess, key: string) => gateway.send('GET', '/v1/sessions', { key });
const lookUps = (key: string) =>
  harness.services.requestsOf(verifyKey).filter(({ input }) => input.keyId === parseApiKey(key)!.keyId).length;

/** Publishes the invalidation of a key as its owner would: resolves with the acknowledgement of the stream. */
async function publish(key: string, revoked: boolean): Promise<void> {
  const { keyId, env } = parseApiKey(key)!;
  const invalidation = JSON.stringify({ keyId, revoked });
  const reply = await harness.services.connection.request(keySubject(env, keyId), invalidation, { timeout: 5_000 });
  expect(reply.json()).toMatchObject({ stream: keyStream(env) });
}

/** Milliseconds until a gateway answers like this. */
async function tookMs(gateway: GatewayProcess, key: string, status: number): Promise<number> {
  const startedAtMs = performance.now();
  await until(async () => (await send(gateway, key)).status === status, `it answers ${status}`);
  return performance.now() - startedAtMs;
}

describe('a key that is revoked', () => {
  it('is rejected by every gateway within a second of the acknowledgement, in either environment', async () => {
    for (const env of ['test', 'live'] as const) {
      await ofSeveralTries(async () => {
        const { text } = harness.services.key({ principal: { env } });
        for (const gateway of gateways) for (let round = 0; round < 3; round++) await send(gateway, text);
        expect(lookUps(text)).toBe(2);
        harness.services.change(text, { rejection: 'revoked_key' });
        await publish(text, true);
        const times = await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 401)));
        for (const time of times) expect(time).toBeLessThan(1_000);
        for (const gateway of gateways) expectError(await send(gateway, text), 401, 'revoked_key');
      });
    }
  });

  it('is rejected even where its owner still answers for it', async () => {
    const { text } = harness.services.key();
    await send(gateways[0]!, text);
    await publish(text, true);
    await tookMs(gateways[0]!, text, 401);
    expectError(await send(gateways[0]!, text), 401, 'revoked_key');
  });

  // The question of before has three seconds to be answered.
  const answeredInItsFavour = async () => {
    const { text, principal } = harness.services.key();
    const answers: (() => void)[] = [];
    harness.services.answer(verifyKey, () => {
      const facts = { principal, expiresAt: null, ipAllowlist: [] };
      return new Promise((resolve) => answers.push(() => resolve(facts)));
    });
    const early = send(gateways[0]!, text);
    await until(() => answers.length === 1, 'the owner gets the look-up');
    await publish(text, true);
    harness.services.resumeKeyVerification();
    harness.services.change(text, { rejection: 'revoked_key' });
    await tookMs(gateways[0]!, text, 401);
    answers[0]!();
    expectError(await early, 401, 'revoked_key');
    expectError(await send(gateways[0]!, text), 401, 'revoked_key');
  };
  it('is rejected although an earlier look-up is answered in its favour afterwards', () =>
    ofSeveralTries(answeredInItsFavour));
});

describe('a key that is changed', () => {
  it('has its new scopes and addresses at every gateway within a second', () =>
    ofSeveralTries(async () => {
      const { text, principal } = harness.services.key();
      for (const gateway of gateways) expect((await send(gateway, text)).status).toBe(200);
      harness.services.change(text, { principal: { ...principal, scopes: ['members:read'] } });
      await publish(text, false);
      for (const time of await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 403))))
        expect(time).toBeLessThan(1_000);
      harness.services.change(text, { principal, ipAllowlist: ['192.0.2.0/24'] });
      await publish(text, false);
      for (const time of await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 401))))
        expect(time).toBeLessThan(1_000);
      expectError(await send(gateways[0]!, text), 401, 'address_not_allowed');
    }));

  // A gateway that receives nothing for a second looks every key up.
  const costs = async () => {
    const [changed, other] = [harness.services.key().text, harness.services.key().text];
    const sendAll = async () => {
      for (const gateway of gateways) for (const key of [changed, other]) await send(gateway, key);
    };
    await sendAll();
    await publish(changed, false);
    await until(async () => {
      await sendAll();
      return lookUps(changed) >= 4;
    }, 'both gateways have looked the key up again');
    await sendAll();
    expect([lookUps(changed), lookUps(other)]).toEqual([4, 2]);
  };
  it('costs one question at each gateway, and other keys none', () => ofSeveralTries(costs));
});

describe('a gateway that is cut off', () => {
  const cutOff = async () => {
    const [kept, revoked] = [harness.services.key().text, harness.services.key().text];
    const unknown = harness.services.key().text;
    for (const key of [kept, revoked]) expect((await send(remote, key)).status).toBe(200);
    proxy.disturb({ unreachable: true });
    harness.services.change(revoked, { rejection: 'revoked_key' });
    await publish(revoked, true);
    const answers = await Promise.all([kept, revoked, unknown].map((key) => send(remote, key)));
    for (const answer of answers) expectError(answer, 503, 'unavailable');
    proxy.disturb({});
    await until(async () => (await send(remote, kept)).status === 200, 'it is connected again');
    expect(await tookMs(remote, revoked, 401)).toBeLessThan(1_000);
    expect((await send(remote, kept)).status).toBe(200);
  };
  it('answers 503, and never 401; once it is back, a key revoked meanwhile is rejected', async () => {
    try {
      await ofSeveralTries(cutOff);
    } finally {
      proxy.disturb({});
    }
  });

  it('from invalidations alone looks each key up, and uses its cached verdict where it gets no answer', async () => {
    const { text } = harness.services.key();
    const hasLookUps = (count: number) => async () =>
      (await send(gateways[0]!, text)).status === 200 && lookUps(text) >= count;
    expect(await hasLookUps(1)()).toBe(true);
    // A gateway that has received nothing from a stream has lost nothing when it is made again within a second.
    await publish(text, false);
    await until(hasLookUps(2), 'it has received an invalidation');
    const again = hasLookUps(lookUps(text) + 1);
    const subject = `$JS.API.STREAM.DELETE.${keyStream('test')}`;
    await harness.services.connection.request(subject, '', { timeout: 5_000 });
    // After a second of silence it counts as cut off, and looks keys up; so it does when the numbers begin again.
    await until(again, 'it looks the key up again', 10_000);
    harness.services.answer(verifyKey, () => Promise.reject(new AppError('unavailable')));
    expect((await send(gateways[0]!, text)).status).toBe(200);
    harness.services.resumeKeyVerification();
    const streamIsBack = async () => {
      const reply = await harness.services.connection.request(`$JS.API.STREAM.INFO.${keyStream('test')}`, '', {
        timeout: 5_000,
      });
      return reply.json<{ config?: object }>().config !== undefined;
    };
    await until(streamIsBack, 'the stream is there again');
  });
});

describe('managing keys', () => {
  it('is rejected for a key that lacks its scope, which the answer names', async () => {
    const { text, principal } = harness.services.key();
    const path = `/v1/accounts/${principal.accountId}/keys`;
    for (const [method, at, needed] of [
      ['GET', path, 'keys:read'],
      ['GET', `${path}/${newId('key')}`, 'keys:read'],
      ['POST', path, 'keys:write'],
      ['PATCH', `${path}/${newId('key')}`, 'keys:write'],
      ['POST', `${path}/${newId('key')}/roll`, 'keys:write'],
      ['POST', `${path}/${newId('key')}/revoke`, 'keys:write'],
    ] as const) {
      const scopes = principal.scopes.filter((scope) => scope !== needed && scope !== 'keys:write');
      const narrow = harness.services.key({ principal: { accountId: principal.accountId, scopes } });
      const answer = await gateways[0]!.send(method, at, { key: narrow.text });
      expectError(answer, 403, 'missing_scope');
      expect(answer.body.error.details).toMatchObject({ scope: needed });
    }
    expectError(await gateways[0]!.send('POST', path, { key: text, body: {} }), 400, 'required');
  });
});
