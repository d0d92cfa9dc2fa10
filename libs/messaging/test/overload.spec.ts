import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppError } from '@swim/platform';
import { startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import type { RpcClient, RunningService } from '../src/index.js';
import { aContext, type Behaviour, change, gate, look, sift, startClient, startReplica } from './sample-service.js';

let nats: TestNats;
let client: RpcClient;
let stopClient: () => Promise<void>;
const running: RunningService[] = [];

const serve = async (behaviour: Behaviour): Promise<void> => {
  running.push(await startReplica(nats.url, behaviour));
};

beforeAll(async () => {
  nats = await startNats();
  ({ client, stop: stopClient } = await startClient(nats.url));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(async () => {
  await stopClient?.();
  await nats?.stop();
});

describe('requests beyond a replica’s limits', () => {
  it('are rejected as overloaded at once, and all accepted ones are answered', async () => {
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
      client.call(change, { text: 'x' }, aContext(change)).then(
        () => outcomes.push('ok'),
        (error: AppError) => outcomes.push(error.reason),
      ),
    );
    await until(() => outcomes.length >= 20, 'twenty calls are rejected');
    expect(new Set(outcomes)).toEqual(new Set(['overloaded']));
    expect(ran).toBe(256);
    open();
    await Promise.all(calls);
    const rejected = outcomes.filter((outcome) => outcome === 'overloaded').length;
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(ran);
    expect(ran + rejected).toBe(1_300);
    // A request that has waited two seconds for a slot is rejected, too.
    if (performance.now() - startedAtMs < 2_000) expect(rejected).toBe(20);
    else expect(rejected).toBeGreaterThanOrEqual(20);
  });

  it('to an isolated operation do not affect other operations', async () => {
    const { opened, open } = gate();
    let ran = 0;
    await serve({
      name: 'a',
      sift: async () => {
        ran++;
        await opened;
        return { text: 'x' };
      },
    });
    const outcomes: string[] = [];
    const flood = Array.from({ length: 600 }, () =>
      client.call(sift, {}, aContext(sift)).then(
        () => outcomes.push('ok'),
        (error: AppError) => outcomes.push(error.reason),
      ),
    );
    await until(() => outcomes.length >= 280, 'most are rejected');
    expect(new Set(outcomes)).toEqual(new Set(['overloaded']));
    expect(ran).toBe(64);
    expect(await client.call(look, { text: 'x' }, aContext(look))).toEqual({ text: 'x', servedBy: 'a' });
    open();
    await Promise.all(flood);
  });
});
