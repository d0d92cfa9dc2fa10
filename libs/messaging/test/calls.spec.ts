import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, Deadline, type RequestContext } from '@swim/platform';
import { ChaosProxy } from '../../testing/src/faults/chaos-proxy.js';
import { startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import type { RpcClient, RunningService } from '../src/index.js';
import {
  ALL_EVENTS,
  aContext,
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

const rejection = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

beforeAll(async () => {
  nats = await startNats(ALL_EVENTS);
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
  it('reaches the handler with validated input and defaults, and returns the handler’s result', async () => {
    const seen: unknown[] = [];
    await serve({
      name: 'a',
      look: async (input, context) => {
        seen.push(
          input,
          context.principal,
          context.requestId,
          context.idempotencyKey,
          context.writeKey,
          context.dryRun,
        );
        return { text: `${input.text}!`, servedBy: 'a' };
      },
    });
    const context = aContext(look, { idempotencyKey: 'mine' });
    await expect(client.call(look, { text: 'hello' }, context)).resolves.toEqual({ text: 'hello!', servedBy: 'a' });
    expect(seen).toEqual([{ text: 'hello', times: 1 }, family, context.requestId, 'mine', null, false]);
  });

  it('passes on the client’s key, fingerprint and dry run', async () => {
    let received: RequestContext | undefined;
    await serve({
      name: 'a',
      change: async (input, context) => {
        received = context;
        return { text: input.text, servedBy: 'a' };
      },
    });
    const context = aContext(change, { idempotencyKey: 'clé 1/2', fingerprint: 'abc', dryRun: true });
    const answer = await client.request(change, '{"text":"x"}', context);
    expect(answer).toMatchObject({ error: false, pagination: null, replayed: false, retryAfterSeconds: null });
    expect(Buffer.from(answer.body).toString()).toBe('{"text":"x","servedBy":"a"}');
    expect(received).toMatchObject({ idempotencyKey: 'clé 1/2', fingerprint: 'abc', dryRun: true });
  });

  it('returns a list with its pagination', async () => {
    const page = { items: [{ text: 'x' }], pagination: { has_more: true, next_cursor: 'c', total: 2 } };
    await serve({ name: 'a', browse: async () => page });
    await expect(client.call(browse, {}, aContext(browse))).resolves.toEqual(page);
  });

  it('is distributed among the replicas, each request to one of them', async () => {
    const ran: string[] = [];
    const count = (name: string) => async (input: { text: string }) => {
      ran.push(input.text);
      return { text: input.text, servedBy: name };
    };
    await serve({ name: 'a', look: count('a') });
    await serve({ name: 'b', look: count('b') });
    const texts = Array.from({ length: 100 }, (_, index) => String(index));
    const answers = await Promise.all(texts.map((text) => client.call(look, { text }, aContext(look))));
    expect(new Set(answers.map(({ servedBy }) => servedBy))).toEqual(new Set(['a', 'b']));
    expect([...ran].sort()).toEqual([...texts].sort());
  });
});

describe('an error', () => {
  it('arrives as the AppError that was thrown, with all of its details', async () => {
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
    const error = await rejection(client.call(change, { text: 'x' }, aContext(change)));
    expect(error).toMatchObject({
      reason: 'stale_version',
      code: 'CONFLICT',
      message: 'Read it again.',
      details: { field: 'version', reason: 'stale_version', current: 7 },
      retryAfterSeconds: 3,
    });
  });

  it('discloses no details of an internal failure', async () => {
    await serve({
      name: 'a',
      look: async () => {
        throw new Error('password of the database: hunter2');
      },
    });
    const error = await rejection(client.call(look, { text: 'x' }, aContext(look)));
    expect(error.toBody()).toEqual({
      code: 'SERVER_ERROR',
      message: 'Something failed on our side.',
      details: { reason: 'internal' },
    });
  });

  it('names the unknown, missing or too long field, and the handler never runs', async () => {
    let ran = false;
    await serve({
      name: 'a',
      look: async () => {
        ran = true;
        return { text: '', servedBy: 'a' };
      },
    });
    const reasons = async (body: string) => {
      const answer = await client.request(look, body, aContext(look));
      return JSON.parse(Buffer.from(answer.body).toString()).details;
    };
    expect(await reasons('{"text":"x","color":"red"}')).toMatchObject({ field: 'color', reason: 'unknown_field' });
    expect(await reasons('{}')).toMatchObject({ field: 'text', reason: 'required' });
    expect(await reasons(`{"text":"${'x'.repeat(21)}"}`)).toMatchObject({ field: 'text', reason: 'too_long' });
    expect(ran).toBe(false);
  });

  it('is internal when the reply exceeds NATS’s message limit', async () => {
    await serve({ name: 'a', look: async () => ({ text: 'x'.repeat(4 * 1024 * 1024), servedBy: 'a' }) });
    expect((await rejection(client.call(look, { text: 'x' }, aContext(look)))).reason).toBe('internal');
  });

  it('does not occur for a reply of exactly the maximum size', async () => {
    const text = 'x'.repeat(4 * 1024 * 1024 - 8_192);
    await serve({ name: 'a', look: async () => ({ text, servedBy: 'a' }) });
    expect((await client.call(look, { text: 'x' }, aContext(look))).text.length).toBe(text.length);
  });
});

describe('a deadline', () => {
  it('ends the client’s wait, with an unknown outcome', async () => {
    const { opened, open } = gate();
    await serve({ name: 'a', look: () => opened.then(() => ({ text: '', servedBy: 'a' })) });
    // Several attempts are made, since other load may delay one.
    const isInTime = async () => {
      const startedAtMs = performance.now();
      const error = await rejection(client.call(look, { text: 'x' }, aContext(look, { budgetMs: 400 })));
      expect(error.reason).toBe('deadline_exceeded');
      return performance.now() - startedAtMs < 1_500;
    };
    await until(isInTime, 'the wait ends with the deadline of the call');
    open();
  });

  it('is passed on: the handler has the remaining time, less the margin of the hop', async () => {
    let leftMs = 0;
    await serve({
      name: 'a',
      change: async (input, context) => {
        leftMs = context.deadline.remainingMs();
        return { text: input.text, servedBy: 'a' };
      },
    });
    const startedAtMs = performance.now();
    await client.call(change, { text: 'x' }, aContext(change, { budgetMs: 9_000 }));
    const tookMs = performance.now() - startedAtMs;
    expect(leftMs).toBeGreaterThan(8_949 - tookMs);
    expect(leftMs).toBeLessThanOrEqual(8_950);
  });

  it('that has already passed sends nothing', async () => {
    let ran = false;
    await serve({
      name: 'a',
      look: async () => {
        ran = true;
        return { text: '', servedBy: 'a' };
      },
    });
    const context = aContext(look, { deadline: new Deadline(0) });
    expect((await rejection(client.call(look, { text: 'x' }, context))).reason).toBe('deadline_exceeded');
    expect(ran).toBe(false);
  });
});

describe('while no replica serves', () => {
  it('a request waits for a replica to start, and then succeeds', async () => {
    const calls = Array.from({ length: 20 }, (_, index) =>
      client.call(change, { text: String(index) }, aContext(change)),
    );
    await serve({ name: 'late' });
    const answers = await Promise.all(calls);
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    expect(answers.every(({ servedBy }) => servedBy === 'late')).toBe(true);
  });

  it('a request is rejected as unavailable at its deadline', async () => {
    // The server reports that there are no responders; when it is too busy to do so in time, the client cannot know.
    const send = () => rejection(client.call(look, { text: 'x' }, aContext(look, { budgetMs: 600 })));
    const error = await until(async () => {
      const { reason, retryAfterSeconds } = await send();
      return reason === 'deadline_exceeded' ? null : { reason, retryAfterSeconds };
    }, 'the server reports in time that there are no responders');
    expect(error).toEqual({ reason: 'unavailable', retryAfterSeconds: 1 });
  });

  it('a request whose last attempt would be too late for a reply is rejected before it', async () => {
    const proxy = await ChaosProxy.before(nats.url);
    const remote = await startClient(proxy.uri);
    proxy.disturb({ latencyMs: 30 });
    // Each ends at another moment between two attempts.
    const budgets = Array.from({ length: 40 }, (_, index) => 700 + 8 * index);
    const send = async () => {
      const requested = budgets.map((budgetMs) =>
        rejection(remote.client.call(look, { text: 'x' }, aContext(look, { budgetMs }))),
      );
      return new Set((await Promise.all(requested)).map(({ reason }) => reason));
    };
    // Several rounds are made, since other load may delay one.
    await until(async () => [...(await send())].join() === 'unavailable', 'none of a round waits in vain for a reply');
    await remote.stop();
    await proxy.close();
  });
});
