import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createBooking, createMember, createSession, getSession, listSessions } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { until } from '@swim/testing';
import { booking, lesson } from './bodies.js';
import { type GatewayProcess, NO_LIMITS, startWorld, type World } from './gateway-parts.js';
import { ofSeveralTries } from './several-tries.js';
import { expectRefused } from './sound.js';
import { never, onePage } from './stand-ins.js';

// Some wait for a deadline or a connection, several times where this machine is busy.
jest.setTimeout(90_000);
let world: World;
let gateway: GatewayProcess;
let key: string;
let accountId: string;

beforeAll(async () => {
  world = await startWorld();
  const known = world.services.key();
  [key, accountId] = [known.text, known.principal.accountId];
  gateway = await world.gateway(NO_LIMITS);
}, 90_000);
// A circuit that one test opens must not be open for the next.
afterEach(async () => {
  world.services.answer(getSession, () => ({ id: 'ses_1' }));
  await until(async () => (await get()).status === 200, 'scheduling is served');
});
afterAll(() => world?.stop());

const get = () => gateway.ask('GET', `/v1/sessions/${newId('ses')}`, { key });
const post = (headers: Record<string, string> = {}) =>
  gateway.ask('POST', '/v1/sessions', { key, body: lesson(), headers });
const heard = () => world.services.heardOf(getSession).length;

describe('a service that does not answer', () => {
  it('is 504 for a read within 3 seconds, and was asked a second time', () =>
    ofSeveralTries(async () => {
      world.services.answer(getSession, never);
      const [before, startedAtMs] = [heard(), performance.now()];
      expectRefused(await get(), 504, 'deadline_exceeded');
      expect(performance.now() - startedAtMs).toBeLessThan(6_000);
      expect(heard()).toBe(before + 2);
    }));

  it('is told how long it has: less than 3 seconds for a read, 10 for a write', async () => {
    world.services.answer(getSession, () => ({}));
    world.services.answer(createSession, () => ({}));
    const budget = (operation: typeof getSession | typeof createSession) =>
      world.services.heardOf(operation as never).at(-1)!.budgetMs;
    await ofSeveralTries(async () => {
      await get();
      await post();
      expect(budget(getSession)).toBeLessThan(3_000);
      expect([budget(createSession) > 9_000, budget(createSession) < 10_000]).toEqual([true, true]);
    });
  });
});

describe('a service that is not there', () => {
  it('is waited for: a restart of the only replica is no failure', async () => {
    const member = newId('mem');
    const body = { name: 'Mia', date_of_birth: '2016-02-29' };
    const asking = gateway.ask('POST', `/v1/accounts/${accountId}/members`, { key, body });
    await until(() => new Promise((resolve) => setTimeout(resolve, 300, true)), 'the request has met nobody');
    world.services.answer(createMember, () => ({ id: member }));
    expect((await asking).body.data).toEqual({ id: member });
  });

  it('is 503 with Retry-After when it does not come back in time', async () => {
    await ofSeveralTries(async () => {
      const answer = await gateway.ask('GET', '/v1/events', { key });
      expectRefused(answer, 503, 'unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });
  });
});

describe('a service that says that it is unavailable', () => {
  const once = (answer: unknown) => {
    let calls = 0;
    return () => (++calls === 1 ? Promise.reject(new AppError('unavailable')) : answer);
  };

  it('is asked once more for a read', async () => {
    world.services.answer(listSessions, once(onePage([])));
    expect((await gateway.ask('GET', '/v1/sessions', { key })).status).toBe(200);
  });

  it('is asked once more for a write under a key, and never for one without', async () => {
    world.services.answer(createSession, once({ id: 'ses_1' }));
    expect((await post({ 'idempotency-key': 'a key' })).status).toBe(201);
    world.services.answer(createSession, once({ id: 'ses_1' }));
    expectRefused(await post(), 503, 'unavailable');
  });

  it('is left alone after a while, until it is well again', async () => {
    world.services.answer(getSession, () => Promise.reject(new AppError('unavailable')));
    // Two seconds after it was left alone it is tried again.
    await ofSeveralTries(async () => {
      for (let round = 0; round < 25; round++) await get();
      const before = heard();
      expectRefused(await get(), 503, 'unavailable');
      expect(heard()).toBe(before);
    });
  });

  it('does not close the way to another one', async () => {
    world.services.answer(getSession, () => Promise.reject(new AppError('unavailable')));
    for (let round = 0; round < 25; round++) await get();
    world.services.answer(createBooking, () => ({ id: 'bkg_1' }));
    const body = booking();
    expect((await gateway.ask('POST', '/v1/bookings', { key, body })).status).toBe(201);
  });
});

describe('crowding', () => {
  it('opens no circuit: whoever fights for one time must not lock out the others', async () => {
    world.services.answer(createSession, () => Promise.reject(new AppError('busy_retry')));
    for (let round = 0; round < 40; round++) expectRefused(await post(), 503, 'busy_retry');
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    expect((await post()).status).toBe(201);
  });

  it('beyond what one service may hold of us is 503 at once, and the rest is served', async () => {
    const gate = Promise.withResolvers<object>();
    world.services.answer(createSession, () => gate.promise);
    const asking = Array.from({ length: 300 }, () => post());
    // Nobody is served while the gate is closed: the first to hear anything is refused.
    await Promise.race(asking);
    gate.resolve({});
    const answers = await Promise.all(asking);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(128);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectRefused(answer, 503, 'overloaded');
    expect((await get()).status).toBe(200);
  });
});

describe('without NATS', () => {
  it('everything is 503 and soon, nothing is sent later, and all is well once it is back', async () => {
    world.services.answer(createSession, () => ({ id: 'ses_1' }));
    world.services.answer(getSession, () => ({ id: 'ses_1' }));
    expect((await get()).status).toBe(200);
    const made = () => world.services.heardOf(createSession).length;
    const before = made();
    await world.nats.kill();
    const health = () => fetch(`http://127.0.0.1:${gateway.healthPort}/health`).then(({ status }) => status);
    await until(async () => (await gateway.ask('GET', '/v1/health')).status === 503, 'the gateway has noticed');
    await ofSeveralTries(async () => {
      const startedAtMs = performance.now();
      expectRefused(await post(), 503, 'unavailable');
      expectRefused(await get(), 503, 'unavailable');
      expect(performance.now() - startedAtMs).toBeLessThan(6_000);
    });
    expect(await health()).toBe(503);
    expectRefused(await gateway.ask('GET', '/v1/sessions'), 401, 'missing_key');
    await world.nats.restart();
    await until(async () => (await get()).status === 200, 'reads are served again');
    await until(async () => (await post()).status === 201, 'writes are served again');
    expect(made()).toBe(before + 1);
    await until(async () => (await health()) === 200, 'its health says so');
  });
});
