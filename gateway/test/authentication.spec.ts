import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getInstructor, listSessions, verifyKey } from '@swim/contracts';
import { AppError, formatApiKey, newId } from '@swim/platform';
import { type Answered, type GatewayProcess, NO_LIMITS, startWorld, type World } from './gateway-parts.js';
import { ofSeveralTries } from './several-tries.js';
import { expectRefused } from './sound.js';
import { onePage } from './stand-ins.js';

let world: World;
let gateway: GatewayProcess;

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.gateway(NO_LIMITS);
  world.services.answer(listSessions, () => onePage([]));
  world.services.answer(getInstructor, () => ({}));
}, 90_000);
afterAll(() => world?.stop());

const sessions = (authorization: string | undefined, to = gateway, headers: Record<string, string> = {}) =>
  to.ask('GET', '/v1/sessions', { headers: { ...(authorization === undefined ? {} : { authorization }), ...headers } });
const withKey = (text: string, to = gateway, headers: Record<string, string> = {}) =>
  sessions(`Bearer ${text}`, to, headers);
const lookUps = () => world.services.heardOf(verifyKey).length;

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
      const answer = await gateway.ask(method!, path!);
      expectRefused(answer, 401, 'missing_key');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it('a large body is not read: the refusal arrives all the same', () =>
    ofSeveralTries(async () => {
      const raw = 'x'.repeat(8 * 1024 * 1024);
      const answer = await gateway.ask('POST', '/v1/bookings', {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expectRefused(answer, 401, 'missing_key');
    }));
});

describe('what is no key', () => {
  it('is refused without a look-up', async () => {
    const { text } = world.services.key();
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
      expectRefused(await sessions(authorization), 401, 'malformed_key');
    }
    expectRefused(await gateway.ask('GET', `/v1/sessions?api_key=${text}`), 401, 'missing_key');
    expect(lookUps()).toBe(before);
  });
});

describe('a key', () => {
  it('lets its account in, and is looked up once', () =>
    ofSeveralTries(async () => {
      const { text, principal } = world.services.key();
      const before = lookUps();
      await Promise.all(Array.from({ length: 20 }, () => withKey(text)));
      expect((await sessions(`bearer  ${text} `)).status).toBe(200);
      expect(lookUps()).toBe(before + 1);
      expect(world.services.heardOf(listSessions).at(-1)!.call.principal).toEqual(principal);
    }));

  it.each(['unknown_key', 'expired_key', 'revoked_key'] as const)(
    'that is an %s is 401, and asked about again after 5 seconds only',
    (refusal) =>
      ofSeveralTries(async () => {
        const { text } = world.services.key({ refusal });
        const before = lookUps();
        for (let round = 0; round < 3; round++) expectRefused(await withKey(text), 401, refusal);
        expect(lookUps()).toBe(before + 1);
      }),
  );

  it('that nobody made is an unknown one', async () => {
    expectRefused(await withKey(formatApiKey('live', newId('key'))), 401, 'unknown_key');
  });

  it('of the other environment is refused on a host that serves one, before any look-up', async () => {
    const pinned = await world.gateway({ ...NO_LIMITS, PINNED_ENVIRONMENT: 'live' });
    const [sandbox, live] = [world.services.key(), world.services.key({ principal: { env: 'live' } })];
    const before = lookUps();
    expectRefused(await withKey(sandbox.text, pinned), 401, 'wrong_environment');
    expect(lookUps()).toBe(before);
    expect((await withKey(live.text, pinned)).status).toBe(200);
    expect((await withKey(live.text)).status).toBe(200);
  });

  it('with an allow-list is good from its addresses only, and nobody lends himself another by a header', async () => {
    const [here, elsewhere] = [
      world.services.key({ ipAllowlist: ['127.0.0.0/8'] }).text,
      world.services.key({ ipAllowlist: ['192.0.2.0/24'] }).text,
    ];
    expect((await withKey(here)).status).toBe(200);
    expectRefused(await withKey(elsewhere), 401, 'address_not_allowed');
    expectRefused(await withKey(elsewhere, gateway, { 'x-forwarded-for': '192.0.2.9' }), 401, 'address_not_allowed');
    const behindProxy = await world.gateway({ ...NO_LIMITS, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    expect((await withKey(elsewhere, behindProxy, { 'x-forwarded-for': '1.1.1.1, 192.0.2.9, 10.0.0.1' })).status).toBe(
      200,
    );
    expectRefused(
      await withKey(elsewhere, behindProxy, { 'x-forwarded-for': '192.0.2.9, 1.1.1.1' }),
      401,
      'address_not_allowed',
    );
  });

  it('that cannot be looked up is 503, never 401; one that is known goes on', async () => {
    const [known, unknown] = [world.services.key().text, world.services.key().text];
    await withKey(known);
    world.services.answer(verifyKey, () => Promise.reject(new AppError('unavailable')));
    try {
      const answer = await withKey(unknown);
      expectRefused(answer, 503, 'unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect((await withKey(known)).status).toBe(200);
    } finally {
      world.services.verifyKeysAgain();
    }
    expect((await withKey(unknown)).status).toBe(200);
  });
});

describe('failed attempts', () => {
  it('of one address are 429 after 20 within a minute; a missing key does not count, and a valid key is never refused', async () => {
    const strict = await world.gateway({ TRUSTED_PROXIES: '127.0.0.1' });
    const valid = world.services.key().text;
    const revoked = world.services.key({ refusal: 'revoked_key' }).text;
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
    const minuteOf = () => Math.floor(Date.now() / 60_000);
    let [tries, minute, answers]: [number, number, Answered[]] = [0, 0, []];
    // Only what happened within one clock minute says something; each try comes from an address of its own.
    do [minute, answers] = [minuteOf(), await attempts(`192.0.2.${10 + ++tries}`)];
    while (minuteOf() !== minute);
    const statuses = [...Array.from({ length: 50 }, () => 401), ...Array.from({ length: 6 }, () => 429)];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    const refused = answers.at(-1)!;
    expectRefused(refused, 429, 'authentication_attempts');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await withKey(valid, strict, from(`192.0.2.${10 + tries}`))).status).toBe(200);
    expectRefused(await withKey('junk', strict, from('192.0.2.2')), 401, 'malformed_key');
    expectRefused(await sessions(undefined, strict, from('192.0.2.1')), 401, 'missing_key');
  });
});
