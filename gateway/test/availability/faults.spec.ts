import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createBooking, createMember, createSession, getSession, listSessions } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import { ofSeveralTries, until } from '@swim/testing';
import { booking, lesson } from '../fixtures/bodies.js';
import { expectError } from '../fixtures/expectations.js';
import { never, onePage } from '../fixtures/fake-services.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, startHarness } from '../fixtures/harness.js';

// Some wait for a deadline or a connection, several times where this machine is busy.
let harness: GatewayHarness;
let gateway: GatewayProcess;
let key: string;
let accountId: string;

beforeAll(async () => {
  harness = await startHarness();
  const known = harness.services.key();
  [key, accountId] = [known.text, known.principal.accountId];
  gateway = await harness.gateway(NO_LIMITS);
});
// A circuit that one test opens must not be open for the next.
afterEach(async () => {
  harness.services.answer(getSession, () => ({ id: 'ses_1' }));
  await until(async () => (await get()).status === 200, 'scheduling is served');
});
afterAll(() => harness?.stop());

const get = () => gateway.send('GET', `/v1/sessions/${newId('ses')}`, { key });
const post = (headers: Record<string, string> = {}) =>
  gateway.send('POST', '/v1/sessions', { key, body: lesson(), headers });
const received = () => harness.services.requestsOf(getSession).length;

describe('a service that does not answer', () => {
  it('is 504 for a read within 3 seconds, after one retry', () =>
    ofSeveralTries(async () => {
      harness.services.answer(getSession, never);
      const [before, startedAtMs] = [received(), performance.now()];
      expectError(await get(), 504, 'deadline_exceeded');
      expect(performance.now() - startedAtMs).toBeLessThan(6_000);
      expect(received()).toBe(before + 2);
    }));

  it('gets a write once more, under the same key: the replica that had it may have died', () =>
    ofSeveralTries(async () => {
      const before = harness.services.requestsOf(createSession).length;
      let tries = 0;
      harness.services.answer(createSession, () => (++tries === 1 ? never() : { id: 'ses_1' }));
      expect((await post()).status).toBe(201);
      const keys = harness.services
        .requestsOf(createSession)
        .slice(before)
        .map(({ context }) => context.writeKey);
      expect(keys).toEqual([expect.any(String), keys[0]]);
    }));

  it('gets the deadline: less than 3 seconds for a read, 8 for the first try of a write', async () => {
    harness.services.answer(getSession, () => ({}));
    harness.services.answer(createSession, () => ({}));
    const budget = (operation: typeof getSession | typeof createSession) =>
      harness.services.requestsOf(operation as never).at(-1)!.budgetMs;
    await ofSeveralTries(async () => {
      await get();
      await post();
      expect(budget(getSession)).toBeLessThan(3_000);
      expect([budget(createSession) > 7_000, budget(createSession) < 8_000]).toEqual([true, true]);
    });
  });
});

describe('a service that is not there', () => {
  it('is waited for: a restart of the only replica is no failure', async () => {
    const member = newId('mem');
    const body = { name: 'Mia', date_of_birth: '2016-02-29' };
    const pending = gateway.send('POST', `/v1/accounts/${accountId}/members`, { key, body });
    // A read that is sent later and has less time fails first: by then the write was sent, and no service had it.
    const failed = await gateway.send('GET', '/v1/events', { key });
    // A busy machine runs out of time before it knows that no service serves.
    if (failed.status === 504) expectError(failed, 504, 'deadline_exceeded');
    else expectError(failed, 503, 'unavailable');
    harness.services.answer(createMember, () => ({ id: member }));
    expect((await pending).body.data).toMatchObject({ id: member });
  });

  it('is 503 with Retry-After when it does not come back in time', async () => {
    await ofSeveralTries(async () => {
      const answer = await gateway.send('GET', '/v1/events', { key });
      expectError(answer, 503, 'unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    });
  });
});

describe('a service that answers unavailable', () => {
  const once = (answer: unknown) => {
    let calls = 0;
    return () => (++calls === 1 ? Promise.reject(new AppError('unavailable')) : answer);
  };

  it('is logged with the request where it answers internal', async () => {
    harness.services.answer(getSession, () => Promise.reject(new AppError('internal')));
    const answer = await get();
    expectError(answer, 500, 'internal');
    const line = new RegExp(`"level":"error".*${answer.body.meta.request_id}.*request failed`);
    await until(() => line.test(gateway.output()), 'the log has it');
  });

  it('gets one retry of a read', async () => {
    harness.services.answer(listSessions, once(onePage([])));
    expect((await gateway.send('GET', '/v1/sessions', { key })).status).toBe(200);
  });

  it('gets one retry of a write, under the same key of the client or of the gateway', async () => {
    for (const headers of [{ 'idempotency-key': 'a key' }, {}]) {
      harness.services.answer(createSession, once({ id: 'ses_1' }));
      expect((await post(headers)).status).toBe(201);
      const tries = harness.services.requestsOf(createSession).slice(-2);
      expect(tries[0]!.context.writeKey).toEqual(headers['idempotency-key'] ?? expect.stringMatching(/^req_/));
      expect(tries[1]!.context.writeKey).toBe(tries[0]!.context.writeKey);
      expect(tries.map(({ context }) => context.idempotencyKey)).toEqual(
        Array(2).fill(headers['idempotency-key'] ?? null),
      );
    }
  });

  it('gets no requests after a while, until it recovers', async () => {
    harness.services.answer(getSession, () => Promise.reject(new AppError('unavailable')));
    // Two seconds after the circuit opened, one request probes it.
    await ofSeveralTries(async () => {
      for (let round = 0; round < 25; round++) await get();
      const before = received();
      expectError(await get(), 503, 'unavailable');
      expect(received()).toBe(before);
    });
  });

  it('does not close the way to another one', async () => {
    harness.services.answer(getSession, () => Promise.reject(new AppError('unavailable')));
    for (let round = 0; round < 25; round++) await get();
    harness.services.answer(createBooking, () => ({ id: 'bkg_1' }));
    const body = booking();
    expect((await gateway.send('POST', '/v1/bookings', { key, body })).status).toBe(201);
  });
});

describe('crowding', () => {
  it('opens no circuit: those who race for one time must not lock out the others', async () => {
    harness.services.answer(createSession, () => Promise.reject(new AppError('busy_retry')));
    for (let round = 0; round < 40; round++) expectError(await post(), 503, 'busy_retry');
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    expect((await post()).status).toBe(201);
  });

  it('beyond what one service may hold of us is 503 at once, and the rest is served', async () => {
    const gate = Promise.withResolvers<object>();
    harness.services.answer(createSession, () => gate.promise);
    const pending = Array.from({ length: 300 }, () => post());
    // Nobody is served while the gate is closed: the first answer is a rejection.
    await Promise.race(pending);
    gate.resolve({});
    const answers = await Promise.all(pending);
    const rejected = answers.filter(({ status }) => status !== 201);
    expect(answers.length - rejected.length).toBeGreaterThanOrEqual(128);
    expect(rejected.length).toBeGreaterThan(0);
    for (const answer of rejected) expectError(answer, 503, 'overloaded');
    expect((await get()).status).toBe(200);
  });
});

describe('without NATS', () => {
  it('everything is 503 and soon, nothing is sent later, and all is well once it is back', async () => {
    harness.services.answer(createSession, () => ({ id: 'ses_1' }));
    harness.services.answer(getSession, () => ({ id: 'ses_1' }));
    expect((await get()).status).toBe(200);
    const made = () => harness.services.requestsOf(createSession).length;
    const before = made();
    await harness.nats.kill();
    const health = () => fetch(`http://127.0.0.1:${gateway.healthPort}/health`).then(({ status }) => status);
    await until(async () => (await gateway.send('GET', '/v1/health')).status === 503, 'the gateway has noticed');
    await ofSeveralTries(async () => {
      const startedAtMs = performance.now();
      expectError(await post(), 503, 'unavailable');
      expectError(await get(), 503, 'unavailable');
      expect(performance.now() - startedAtMs).toBeLessThan(6_000);
    });
    expect(await health()).toBe(503);
    expectError(await gateway.send('GET', '/v1/sessions'), 401, 'missing_key');
    await harness.nats.restart();
    await until(async () => (await get()).status === 200, 'reads succeed');
    await until(async () => (await post()).status === 201, 'writes succeed');
    expect(made()).toBe(before + 1);
    await until(async () => (await health()) === 200, 'its health is 503');
  });
});
