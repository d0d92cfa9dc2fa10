import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getInstructor, listSessions, verifyKey } from '@swim/contracts';
import { keyStream, keySubject } from '@swim/messaging';
import { AppError, newId, parseApiKey } from '@swim/platform';
import { ChaosProxy, until } from '@swim/testing';
import { type GatewayProcess, NO_LIMITS, startWorld, type World } from './gateway-parts.js';
import { ofSeveralTries } from './several-tries.js';
import { expectRefused } from './sound.js';
import { onePage } from './stand-ins.js';

// Some wait for a deadline or a connection, several times where this machine is busy.
jest.setTimeout(90_000);
let world: World;
let gateways: GatewayProcess[];
let proxy: ChaosProxy;
/** Reaches NATS through the proxy. */
let remote: GatewayProcess;

beforeAll(async () => {
  world = await startWorld();
  const { hostname, port } = new URL(world.nats.url);
  proxy = await ChaosProxy.before(hostname, Number(port));
  const throughProxy = { ...NO_LIMITS, NATS_URL: `nats://127.0.0.1:${proxy.address.port}` };
  gateways = await Promise.all([world.gateway(NO_LIMITS), world.gateway(NO_LIMITS)]);
  remote = await world.gateway(throughProxy);
  world.services.answer(listSessions, () => onePage([]));
  world.services.answer(getInstructor, () => ({}));
}, 90_000);
beforeEach(() => world.services.verifyKeysAgain());
afterAll(async () => {
  await world?.stop();
  await proxy?.close();
});

const ask = (gateway: GatewayProcess, key: string) => gateway.ask('GET', '/v1/sessions', { key });
const lookUps = (key: string) =>
  world.services.heardOf(verifyKey).filter(({ input }) => input.keyId === parseApiKey(key)!.keyId).length;

/** Publishes news of a key as its owner would: resolves with the acknowledgement of the stream. */
async function tell(key: string, revoked: boolean): Promise<void> {
  const { keyId, env } = parseApiKey(key)!;
  const news = JSON.stringify({ keyId, revoked });
  const reply = await world.services.connection.request(keySubject(env, keyId), news, { timeout: 5_000 });
  expect(reply.json()).toMatchObject({ stream: keyStream(env) });
}

/** Milliseconds until a gateway answers like this. */
async function tookMs(gateway: GatewayProcess, key: string, status: number): Promise<number> {
  const startedAtMs = performance.now();
  await until(async () => (await ask(gateway, key)).status === status, `it answers ${status}`);
  return performance.now() - startedAtMs;
}

describe('a key that is revoked', () => {
  it('is refused by every gateway within a second of the acknowledgement, in either environment', async () => {
    for (const env of ['test', 'live'] as const) {
      await ofSeveralTries(async () => {
        const { text } = world.services.key({ principal: { env } });
        for (const gateway of gateways) for (let round = 0; round < 3; round++) await ask(gateway, text);
        expect(lookUps(text)).toBe(2);
        world.services.change(text, { refusal: 'revoked_key' });
        await tell(text, true);
        const times = await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 401)));
        for (const time of times) expect(time).toBeLessThan(1_000);
        for (const gateway of gateways) expectRefused(await ask(gateway, text), 401, 'revoked_key');
      });
    }
  });

  it('is refused even where its owner still answers for it', async () => {
    const { text } = world.services.key();
    await ask(gateways[0]!, text);
    await tell(text, true);
    await tookMs(gateways[0]!, text, 401);
    expectRefused(await ask(gateways[0]!, text), 401, 'revoked_key');
  });

  // The question of before has three seconds to be answered.
  const answeredInItsFavour = async () => {
    const { text, principal } = world.services.key();
    const answers: (() => void)[] = [];
    world.services.answer(verifyKey, () => {
      const facts = { principal, expiresAt: null, ipAllowlist: [] };
      return new Promise((resolve) => answers.push(() => resolve(facts)));
    });
    const early = ask(gateways[0]!, text);
    await until(() => answers.length === 1, 'the owner is asked');
    await tell(text, true);
    world.services.verifyKeysAgain();
    world.services.change(text, { refusal: 'revoked_key' });
    await tookMs(gateways[0]!, text, 401);
    answers[0]!();
    expectRefused(await early, 401, 'revoked_key');
    expectRefused(await ask(gateways[0]!, text), 401, 'revoked_key');
  };
  it('is refused although a question of before is answered in its favour afterwards', () =>
    ofSeveralTries(answeredInItsFavour));
});

describe('a key that is changed', () => {
  it('has its new scopes and addresses at every gateway within a second', () =>
    ofSeveralTries(async () => {
      const { text, principal } = world.services.key();
      for (const gateway of gateways) expect((await ask(gateway, text)).status).toBe(200);
      world.services.change(text, { principal: { ...principal, scopes: ['members:read'] } });
      await tell(text, false);
      for (const time of await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 403))))
        expect(time).toBeLessThan(1_000);
      world.services.change(text, { principal, ipAllowlist: ['192.0.2.0/24'] });
      await tell(text, false);
      for (const time of await Promise.all(gateways.map((gateway) => tookMs(gateway, text, 401))))
        expect(time).toBeLessThan(1_000);
      expectRefused(await ask(gateways[0]!, text), 401, 'address_not_allowed');
    }));

  // A gateway that hears nothing for a second asks about every key.
  const costs = async () => {
    const [changed, other] = [world.services.key().text, world.services.key().text];
    const askAll = async () => {
      for (const gateway of gateways) for (const key of [changed, other]) await ask(gateway, key);
    };
    await askAll();
    await tell(changed, false);
    await until(async () => {
      await askAll();
      return lookUps(changed) >= 4;
    }, 'both gateways have asked again');
    await askAll();
    expect([lookUps(changed), lookUps(other)]).toEqual([4, 2]);
  };
  it('costs one question at each gateway, and other keys none', () => ofSeveralTries(costs));
});

describe('a gateway that is cut off', () => {
  const cutOff = async () => {
    const [kept, revoked] = [world.services.key().text, world.services.key().text];
    const unknown = world.services.key().text;
    for (const key of [kept, revoked]) expect((await ask(remote, key)).status).toBe(200);
    proxy.disturb({ unreachable: true });
    world.services.change(revoked, { refusal: 'revoked_key' });
    await tell(revoked, true);
    const answers = await Promise.all([kept, revoked, unknown].map((key) => ask(remote, key)));
    for (const answer of answers) expectRefused(answer, 503, 'unavailable');
    proxy.disturb({});
    await until(async () => (await ask(remote, kept)).status === 200, 'it is connected again', 20_000);
    expect(await tookMs(remote, revoked, 401)).toBeLessThan(1_000);
    expect((await ask(remote, kept)).status).toBe(200);
  };
  it('does not know, and never says 401; once it is back, what was revoked meanwhile is refused', async () => {
    try {
      await ofSeveralTries(cutOff);
    } finally {
      proxy.disturb({});
    }
  });

  it('from the news alone asks about each key, and goes on with what it knows where it gets no answer', async () => {
    const { text } = world.services.key();
    expect((await ask(gateways[0]!, text)).status).toBe(200);
    const subject = `$JS.API.STREAM.DELETE.${keyStream('test')}`;
    await world.services.connection.request(subject, '', { timeout: 5_000 });
    // Silent for a second, it counts as cut off, and asks; two seconds later it has made the stream again.
    await until(
      async () => (await ask(gateways[0]!, text)).status === 200 && lookUps(text) >= 2,
      'it asks again',
      10_000,
    );
    world.services.answer(verifyKey, () => Promise.reject(new AppError('unavailable')));
    expect((await ask(gateways[0]!, text)).status).toBe(200);
    world.services.verifyKeysAgain();
    const streamIsBack = async () => {
      const reply = await world.services.connection.request(`$JS.API.STREAM.INFO.${keyStream('test')}`, '', {
        timeout: 5_000,
      });
      return reply.json<{ config?: object }>().config !== undefined;
    };
    await until(streamIsBack, 'the stream is made again', 10_000);
  });
});

describe('an operation that needs every scope', () => {
  it('is refused to a key that lacks one, which the answer names', async () => {
    const { text, principal } = world.services.key();
    const scopes = principal.scopes.filter((scope) => scope !== 'events:read');
    const narrow = world.services.key({ principal: { accountId: principal.accountId, scopes } });
    const path = `/v1/accounts/${principal.accountId}/keys`;
    for (const [method, at] of [
      ['GET', path],
      ['POST', path],
      ['PATCH', `${path}/${newId('key')}`],
      ['POST', `${path}/${newId('key')}/roll`],
      ['POST', `${path}/${newId('key')}/revoke`],
    ] as const) {
      const answer = await gateways[0]!.ask(method, at, { key: narrow.text });
      expectRefused(answer, 403, 'missing_scope');
      expect(answer.body.error.details).toMatchObject({ scope: 'events:read' });
    }
    expectRefused(await gateways[0]!.ask('POST', path, { key: text, body: {} }), 400, 'required');
  });
});
