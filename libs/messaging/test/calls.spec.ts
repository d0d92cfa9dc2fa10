import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, Deadline } from '@swim/platform';
import { ChaosProxy } from '../../testing/src/chaos-proxy.js';
import { startNats, type TestNats } from '../../testing/src/nats-server.js';
import { until } from '../../testing/src/until.js';
import type { Call, RpcClient, RunningService } from '../src/index.js';
import {
  aCall,
  type Behaviour,
  browse,
  change,
  family,
  gate,
  look,
  startClient,
  startReplica,
} from './sample-service.js';

let nats: TestNats;
let client: RpcClient;
let stopClient: () => Promise<void>;
const running: RunningService[] = [];

const serve = async (behaviour: Behaviour): Promise<RunningService> => {
  const service = await startReplica(nats.url, behaviour);
  running.push(service);
  return service;
};

const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

beforeAll(async () => {
  nats = await startNats();
  ({ client, stop: stopClient } = await startClient(nats.url));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(async () => {
  await stopClient();
  await nats.stop();
});

describe('a typed call', () => {
  it('reaches the handler with its input checked and filled in, and brings back what the handler returned', async () => {
    const seen: unknown[] = [];
    await serve({
      name: 'a',
      look: async (input, call) => {
        seen.push(input, call.principal, call.requestId, call.idempotencyKey, call.dryRun);
        return { text: `${input.text}!`, servedBy: 'a' };
      },
    });
    const call = aCall(look, { idempotencyKey: 'mine' });
    await expect(client.call(look, { text: 'hello' }, call)).resolves.toEqual({ text: 'hello!', servedBy: 'a' });
    expect(seen).toEqual([{ text: 'hello', times: 1 }, family, call.requestId, null, false]);
  });

  it('carries the key, the fingerprint and the dry run of the call that a client made', async () => {
    let heard: Call | undefined;
    await serve({
      name: 'a',
      change: async (input, call) => {
        heard = call;
        return { text: input.text, servedBy: 'a' };
      },
    });
    const call = aCall(change, { idempotencyKey: 'clé 1/2', fingerprint: 'abc', dryRun: true });
    const answer = await client.request(change, '{"text":"x"}', call);
    expect(answer).toMatchObject({ error: false, pagination: null, replayed: false, retryAfterSeconds: null });
    expect(Buffer.from(answer.body).toString()).toBe('{"text":"x","servedBy":"a"}');
    expect(heard).toMatchObject({ idempotencyKey: 'clé 1/2', fingerprint: 'abc', dryRun: true });
  });

  it('hands a list back with its pagination', async () => {
    const page = { items: [{ text: 'x' }], pagination: { has_more: true, next_cursor: 'c', total: 2 } };
    await serve({ name: 'a', browse: async () => page });
    await expect(client.call(browse, {}, aCall(browse))).resolves.toEqual(page);
  });

  it('shares its calls among the replicas, each call with one of them', async () => {
    const ran: string[] = [];
    const count = (name: string) => async (input: { text: string }) => {
      ran.push(input.text);
      return { text: input.text, servedBy: name };
    };
    await serve({ name: 'a', look: count('a') });
    await serve({ name: 'b', look: count('b') });
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const answers = await Promise.all(texts.map((text) => client.call(look, { text }, aCall(look))));
    expect(new Set(answers.map(({ servedBy }) => servedBy))).toEqual(new Set(['a', 'b']));
    expect([...ran].sort()).toEqual([...texts].sort());
  });
});

describe('a refusal', () => {
  it('comes back as the AppError that was thrown, with all of its details', async () => {
    await serve({
      name: 'a',
      change: async () => {
        throw new AppError('stale_version', {
          field: 'version',
          message: 'Read it again.',
          details: { current: 7 },
          retryAfterSeconds: 3,
        });
      },
    });
    const error = await refusal(client.call(change, { text: 'x' }, aCall(change)));
    expect(error).toMatchObject({
      reason: 'stale_version',
      code: 'CONFLICT',
      message: 'Read it again.',
      details: { field: 'version', reason: 'stale_version', current: 7 },
      retryAfterSeconds: 3,
    });
  });

  it('says nothing of what went wrong inside', async () => {
    await serve({
      name: 'a',
      look: async () => {
        throw new Error('password of the database: hunter2');
      },
    });
    const error = await refusal(client.call(look, { text: 'x' }, aCall(look)));
    expect(error.toBody()).toEqual({
      code: 'SERVER_ERROR',
      message: 'Something failed on our side.',
      details: { reason: 'internal' },
    });
  });

  it('names the field that is unknown, missing or too long, and the handler never runs', async () => {
    let ran = false;
    await serve({
      name: 'a',
      look: async () => {
        ran = true;
        return { text: '', servedBy: 'a' };
      },
    });
    const reasons = async (body: string) => {
      const answer = await client.request(look, body, aCall(look));
      return JSON.parse(Buffer.from(answer.body).toString()).details;
    };
    expect(await reasons('{"text":"x","color":"red"}')).toMatchObject({ field: 'color', reason: 'unknown_field' });
    expect(await reasons('{}')).toMatchObject({ field: 'text', reason: 'required' });
    expect(await reasons(`{"text":"${'x'.repeat(21)}"}`)).toMatchObject({ field: 'text', reason: 'too_long' });
    expect(ran).toBe(false);
  });

  it('is told as internal when the reply is larger than the bus carries', async () => {
    await serve({ name: 'a', look: async () => ({ text: 'x'.repeat(4 * 1024 * 1024), servedBy: 'a' }) });
    expect((await refusal(client.call(look, { text: 'x' }, aCall(look)))).reason).toBe('internal');
  });

  it('does not come for a reply that just fits', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024 - 8_192);
    await serve({ name: 'a', look: async () => ({ text, servedBy: 'a' }) });
    expect((await client.call(look, { text: 'x' }, aCall(look))).text.length).toBe(text.length);
  });
});

describe('a deadline', () => {
  it('ends the wait of the caller, who does not know what became of it', async () => {
    const { opened, open } = gate();
    await serve({ name: 'a', look: () => opened.then(() => ({ text: '', servedBy: 'a' })) });
    // Of several tries, for one may be held up by what else this machine does.
    const isInTime = async () => {
      const startedAtMs = performance.now();
      const error = await refusal(client.call(look, { text: 'x' }, aCall(look, { budgetMs: 400 })));
      expect(error.reason).toBe('deadline_exceeded');
      return performance.now() - startedAtMs < 1_500;
    };
    await until(isInTime, 'the wait ends with the time of the call');
    open();
  });

  it('travels: the handler has what is left, less the margin of the hop', async () => {
    let leftMs = 0;
    await serve({
      name: 'a',
      change: async (input, call) => {
        leftMs = call.deadline.remainingMs();
        return { text: input.text, servedBy: 'a' };
      },
    });
    const startedAtMs = performance.now();
    await client.call(change, { text: 'x' }, aCall(change, { budgetMs: 9_000 }));
    const tookMs = performance.now() - startedAtMs;
    expect(leftMs).toBeGreaterThan(8_949 - tookMs);
    expect(leftMs).toBeLessThanOrEqual(8_950);
  });

  it('that has passed already sends nothing', async () => {
    let ran = false;
    await serve({
      name: 'a',
      look: async () => {
        ran = true;
        return { text: '', servedBy: 'a' };
      },
    });
    const call = aCall(look, { deadline: new Deadline(0) });
    expect((await refusal(client.call(look, { text: 'x' }, call))).reason).toBe('deadline_exceeded');
    expect(ran).toBe(false);
  });
});

describe('while nobody serves', () => {
  it('a call waits for a replica to come up, and then succeeds', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => client.call(change, { text: String(index) }, aCall(change)));
    await serve({ name: 'late' });
    const answers = await Promise.all(calls);
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(answers.every(({ servedBy }) => servedBy === 'late')).toBe(true);
  });

  it('a call is refused as unavailable when its time runs out', async () => {
    // The server says that nobody serves; where it is too busy to say so in time, the caller cannot know.
    const ask = () => refusal(client.call(look, { text: 'x' }, aCall(look, { budgetMs: 600 })));
    const error = await until(async () => {
      const { reason, retryAfterSeconds } = await ask();
      return reason === 'deadline_exceeded' ? null : { reason, retryAfterSeconds };
    }, 'the server says in time that nobody serves');
    expect(error).toEqual({ reason: 'unavailable', retryAfterSeconds: 1 });
  });

  it('a call whose last try would come too late for an answer is refused before it', async () => {
    const { hostname, port } = new URL(nats.url);
    const proxy = await ChaosProxy.before(hostname, Number(port));
    const remote = await startClient(`nats://127.0.0.1:${proxy.address.port}`);
    proxy.disturb({ latencyMs: 30 });
    // Each ends at another moment between two tries.
    const budgets = Array.from({ length: 40 }, (_, index) => 700 + 8 * index);
    const ask = async () => {
      const asked = budgets.map((budgetMs) =>
        refusal(remote.client.call(look, { text: 'x' }, aCall(look, { budgetMs }))),
      );
      return new Set((await Promise.all(asked)).map(({ reason }) => reason));
    };
    // Of three rounds, for one may be held up by what else this machine does.
    const rounds = [await ask(), await ask(), await ask()].map((reasons) => [...reasons].join());
    expect(rounds).toContain('unavailable');
    await remote.stop();
    await proxy.close();
  });
});

describe('more than a replica can take', () => {
  it('is refused as overloaded at once, and all that was let in is answered', async () => {
    const { opened, open } = gate();
    let ran = 0;
    await serve({
      name: 'a',
      change: async (input) => {
        ran++;
        await opened;
        return { text: input.text, servedBy: 'a' };
      },
    });
    const outcomes: string[] = [];
    const startedAtMs = performance.now();
    const calls = Array.from({ length: 1_300 }, () =>
      client.call(change, { text: 'x' }, aCall(change)).then(
        () => outcomes.push('ok'),
        (error: AppError) => outcomes.push(error.reason),
      ),
    );
    await until(() => outcomes.length >= 20, 'twenty calls are refused');
    expect(new Set(outcomes)).toEqual(new Set(['overloaded']));
    expect(ran).toBe(256);
    open();
    await Promise.all(calls);
    const refused = outcomes.filter((outcome) => outcome === 'overloaded').length;
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(ran);
    expect(ran + refused).toBe(1_300);
    // Who has waited for a place for two seconds is refused, too.
    if (performance.now() - startedAtMs < 2_000) expect(refused).toBe(20);
    else expect(refused).toBeGreaterThanOrEqual(20);
  });
});
