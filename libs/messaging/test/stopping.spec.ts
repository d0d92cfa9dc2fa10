import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppError } from '@swim/platform';
import { startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import type { RpcClient, RunningService } from '../src/index.js';
import { ALL_EVENTS, aContext, type Behaviour, change, look, startClient, startReplica } from './sample-service.js';

let nats: TestNats;
let client: RpcClient;
let stopClient: () => Promise<void>;
const running: RunningService[] = [];

const serve = async (behaviour: Behaviour): Promise<RunningService> => {
  const service = await startReplica(nats.url, behaviour);
  running.push(service);
  return service;
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

describe('a replica that stops', () => {
  it('answers every accepted request: of 500 in progress none is lost and none runs twice', async () => {
    const ran: string[] = [];
    const slow = (name: string) => async (input: { text: string }) => {
      ran.push(input.text);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      return { text: input.text, servedBy: name };
    };
    const leaving = await serve({ name: 'leaving', change: slow('leaving') });
    await serve({ name: 'staying', change: slow('staying') });
    const texts = Array.from({ length: 500 }, (_, index) => String(index));
    let answered = 0;
    const calls = texts.map(async (text, index) => {
      await new Promise((resolve) => setTimeout(resolve, index / 2));
      const answer = await client.call(change, { text }, aContext(change));
      answered++;
      return answer;
    });
    await until(() => answered >= 100, 'a hundred calls are answered');
    const stopped = leaving.stop();
    const answers = await Promise.all(calls);
    await stopped;
    expect(answers.map(({ text }) => text)).toEqual(texts);
    expect([...ran].sort()).toEqual([...texts].sort());
    expect(answers.filter(({ servedBy }) => servedBy === 'leaving').length).toBeGreaterThan(20);
  });

  it('as the only one loses none either, when another one replaces it', async () => {
    const ran: string[] = [];
    const slow = (name: string) => async (input: { text: string }) => {
      ran.push(input.text);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { text: input.text, servedBy: name };
    };
    const first = await serve({ name: 'first', change: slow('first') });
    const texts = Array.from({ length: 500 }, (_, index) => String(index));
    const call = (text: string) => client.call(change, { text }, aContext(change));
    const before = texts.slice(0, 300).map(call);
    await until(() => ran.length >= 100, 'a hundred calls have run');
    const stopped = first.stop();
    const meanwhile = texts.slice(300, 400).map(async (text, index) => {
      await new Promise((resolve) => setTimeout(resolve, index));
      return call(text);
    });
    await stopped;
    const after = texts.slice(400).map(call);
    await serve({ name: 'second', change: slow('second') });
    const answers = await Promise.all([...before, ...meanwhile, ...after]);
    expect(answers.map(({ text }) => text)).toEqual(texts);
    expect([...ran].sort()).toEqual([...texts].sort());
    expect(new Set(answers.map(({ servedBy }) => servedBy))).toEqual(new Set(['first', 'second']));
  });
});

describe('when nats-server is killed and comes back', () => {
  it('replica and client reconnect', async () => {
    await serve({ name: 'a' });
    await client.call(look, { text: 'before' }, aContext(look));
    await nats.kill();
    const meanwhile = client
      .call(change, { text: 'meanwhile' }, aContext(change, { budgetMs: 2_000 }))
      .catch((error: AppError) => error.reason);
    await nats.restart();
    await until(
      () =>
        client.call(look, { text: 'after' }, aContext(look)).then(
          ({ text }) => text === 'after',
          () => false,
        ),
      'a call is answered',
    );
    // When the client reconnects before the replica, no replica serves for a while.
    const lawful = [{ text: 'meanwhile', servedBy: 'a' }, 'deadline_exceeded', 'unavailable'];
    expect(lawful).toContainEqual(await meanwhile);
  });
});
