import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { AppError, errorAnswer, type RequestContext } from '@swim/platform';
import { startNats, type TestNats } from '../../testing/src/servers/nats-server.js';
import { until } from '../../testing/src/waiting/until.js';
import { BusConnection, type RpcClient, type RunningService } from '../src/index.js';
import {
  ALL_EVENTS,
  aContext,
  type Behaviour,
  change,
  gate,
  look,
  startClient,
  startReplica,
} from './sample-service.js';

let nats: TestNats;
let client: RpcClient;
let connection: NatsConnection;
let stopClient: () => Promise<void>;
const running: RunningService[] = [];

/** Serves with a first run that never ends; returns the contexts of all runs. */
async function serveHangingAtFirst(more: Partial<Behaviour> = {}): Promise<RequestContext[]> {
  const runs: RequestContext[] = [];
  const { opened, open } = gate();
  opening.push(open);
  const handle = async ({ text }: { text: string }, context: RequestContext) => {
    if (runs.push(context) === 1) await opened;
    return { text, servedBy: `run ${runs.length}` };
  };
  running.push(await startReplica(nats.url, { name: 'a', look: handle, change: handle, ...more }));
  return runs;
}
const opening: (() => void)[] = [];

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: AppError) => error.reason,
  );

beforeAll(async () => {
  nats = await startNats(ALL_EVENTS);
  ({ client, connection, stop: stopClient } = await startClient(nats.url));
});
afterEach(async () => {
  for (const open of opening.splice(0)) open();
  await Promise.all(running.splice(0).map((service) => service.stop()));
});
afterAll(async () => {
  await stopClient();
  await nats.stop();
});

async function restartNats(): Promise<void> {
  await nats.kill();
  await nats.restart();
}

// Long enough that an answer within it is no consequence of the deadline.
const patient = { budgetMs: 60_000 };

describe('a request whose reply is lost with the connection', () => {
  it('is sent again once the connection is back, if it is a read', async () => {
    const runs = await serveHangingAtFirst();
    const answer = client.call(look, { text: 'x' }, aContext(look));
    await until(() => runs.length === 1, 'it runs');
    await restartNats();
    expect(await answer).toEqual({ text: 'x', servedBy: 'run 2' });
  });

  it('is sent again under its idempotency key, if it is a write of a client', async () => {
    const runs = await serveHangingAtFirst();
    const context = aContext(change, { writeKey: 'of the gateway', ...patient });
    const answer = client.request(change, '{"text":"x"}', context);
    await until(() => runs.length === 1, 'it runs');
    await restartNats();
    expect(Buffer.from((await answer).body).toString()).toBe('{"text":"x","servedBy":"run 2"}');
    expect(runs.map(({ writeKey, idempotencyKey }) => [writeKey, idempotencyKey])).toEqual([
      ['of the gateway', null],
      ['of the gateway', null],
    ]);
  });

  it('ends at once with an unknown outcome, if it is a write without a key', async () => {
    const runs = await serveHangingAtFirst();
    const answer = reasonOf(client.call(change, { text: 'x' }, aContext(change, patient)));
    await until(() => runs.length === 1, 'it runs');
    await nats.kill();
    expect(await answer).toBe('deadline_exceeded');
    await nats.restart();
    expect(runs).toHaveLength(1);
  });

  it('waits for its first run, which another replica reports to be in progress', async () => {
    let reported = 0;
    const interceptor = {
      explain: () => null,
      intercept: (_: unknown, context: RequestContext, run: (context: RequestContext) => Promise<never>) =>
        runs.length === 1 && ++reported < 3
          ? Promise.resolve(errorAnswer(new AppError('idempotency_in_progress')))
          : run(context),
    };
    const runs = await serveHangingAtFirst({ interceptor });
    const answer = client.request(change, '{"text":"x"}', aContext(change, { writeKey: 'k', ...patient }));
    await until(() => runs.length === 1, 'it runs');
    await restartNats();
    expect(Buffer.from((await answer).body).toString()).toBe('{"text":"x","servedBy":"run 2"}');
    expect(reported).toBe(3);
  });

  it('is answered that another request is in progress, if it was not sent before', async () => {
    const inProgress = errorAnswer(new AppError('idempotency_in_progress'));
    const interceptor = { explain: () => null, intercept: () => Promise.resolve(inProgress) };
    await serveHangingAtFirst({ interceptor });
    const answer = await client.request(change, '{"text":"x"}', aContext(change, { writeKey: 'k' }));
    expect(answer.error).toBe(true);
  });
});

describe('a request made while there is no connection', () => {
  it('is sent once the connection is back', async () => {
    const runs = await serveHangingAtFirst();
    runs.push(aContext(look));
    const bus = new BusConnection(connection);
    await nats.kill();
    await until(() => !bus.isUp, 'the client has noticed');
    const answers = Promise.all(
      Array.from({ length: 20 }, () => client.call(change, { text: 'x' }, aContext(change, patient))),
    );
    await nats.restart();
    expect((await answers).every(({ text }) => text === 'x')).toBe(true);
    expect(runs).toHaveLength(21);
  });
});

describe('a service that stops', () => {
  it('ends in order, also while there is no connection to the bus', async () => {
    await serveHangingAtFirst();
    await nats.kill();
    await running.pop()!.stop();
    await nats.restart();
  });
});

describe('a fault of the bus within a handler', () => {
  it.each([
    ['a time-out', new errors.TimeoutError()],
    ['a stream that nobody serves', new errors.NoRespondersError('$JS.API.STREAM.INFO.X')],
    ['JetStream, which is not ready', Object.assign(new Error('unavailable'), { status: 503 })],
  ])('is answered as unavailable: %s', async (_, fault) => {
    await serveHangingAtFirst({ look: () => Promise.reject(fault) });
    expect(await reasonOf(client.call(look, { text: 'x' }, aContext(look)))).toBe('unavailable');
  });
});
