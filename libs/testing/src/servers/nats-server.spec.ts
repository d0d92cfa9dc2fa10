import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { freePort, startNats, type TestNats } from './nats-server.js';

let nats: TestNats;
let isStopped: boolean;

beforeEach(async () => {
  nats = await startNats();
  isStopped = false;
});
afterEach(async () => {
  if (!isStopped) await nats.stop();
});

const request = async (connection: NatsConnection, subject: string, body = {}) =>
  (await connection.request(`$JS.API.STREAM.${subject}`, JSON.stringify(body), { timeout: 10_000 })).json<{
    state: { messages: number };
    config: { name: string };
  }>();

describe('a nats-server of a test’s own', () => {
  it('keeps JetStream’s data when it is killed and restarted, at the same address', async () => {
    const before = await connect({ servers: nats.url });
    await request(before, 'CREATE.KEPT', { name: 'KEPT', subjects: ['kept'] });
    await before.request('kept', 'one', { timeout: 10_000 });
    await nats.kill();
    await before.close();
    await nats.restart();
    const after = await connect({ servers: nats.url });
    expect((await request(after, 'INFO.KEPT')).state.messages).toBe(1);
    await after.close();
  });

  it('is unreachable after it was stopped', async () => {
    await nats.stop();
    isStopped = true;
    await expect(connect({ servers: nats.url, maxReconnectAttempts: 0 })).rejects.toThrow();
  });

  it('is a different one each time', async () => {
    const other = await startNats();
    expect(other.url).not.toBe(nats.url);
    await other.stop();
  });
});

describe('a free port', () => {
  it('is a different one each time, even while none is in use', async () => {
    const ports: number[] = [];
    for (let n = 0; n < 200; n++) ports.push(await freePort());
    expect(new Set(ports).size).toBe(200);
  });
});
