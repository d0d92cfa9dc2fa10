import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStream } from '@swim/contracts';
import { until } from '@swim/testing';
import { FakeStreams } from '../fixtures/fake-streams.js';
import { type GatewayHarness, type GatewayProcess, NO_LIMITS, outcomeAt, startHarness } from '../fixtures/harness.js';

const PATH = '/v1/events/stream';

let harness: GatewayHarness;
let gateway: GatewayProcess;
let streams: FakeStreams;
let key: string;

beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(async () => {
  gateway = await harness.gateway(NO_LIMITS);
  streams = new FakeStreams(harness.services);
  key = harness.services.key().text;
});
afterAll(() => harness?.stop());

/** Keeps the next stream from being opened: `reached` resolves when it is about to be, and `resume` lets it. */
function holdOpening(): { reached: Promise<unknown>; resume: () => void } {
  const opening = () => harness.services.requestsOf(openEventStream).length;
  const before = opening();
  const { promise, resolve } = Promise.withResolvers<void>();
  streams.mayOpen = promise;
  return { reached: until(() => opening() > before, 'a stream is being opened'), resume: resolve };
}

describe('a stream that is being opened', () => {
  it('ends when its client has disconnected meanwhile, and gives its place back', async () => {
    const { reached, resume } = holdOpening();
    const socket = connect({ host: '127.0.0.1', port: gateway.port });
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await reached;
    socket.destroy();
    // The gateway reads the end of the connection before a later request.
    await gateway.send('GET', '/v1/health');
    resume();
    await until(() => streams.opened.length === 1, 'the stream is opened');
    await until(() => streams.closed.has(streams.opened[0]!), 'its place is released');
  });

  it('ends at once when its gateway gets SIGTERM, with a time to reconnect, and gives its place back', async () => {
    const { reached, resume } = holdOpening();
    const answered = gateway.send('GET', PATH, { key });
    await reached;
    const ending = gateway.stop('SIGTERM');
    // The health port reports the end earlier: a stream that opened in between would get the first lines of an open one.
    const isRefused = async () => (await outcomeAt('127.0.0.1', gateway.port)) === 'ECONNREFUSED';
    await until(isRefused, 'the gateway ends its streams');
    resume();
    const { status, text } = await answered;
    expect([status, text]).toEqual([200, expect.stringMatching(/^retry: \d+\n\n$/)]);
    expect(await ending).toBe(0);
    expect([...streams.closed]).toEqual(streams.opened);
  });
});
