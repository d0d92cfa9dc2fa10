import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { KeyNews } from '@swim/contracts';
import { createLogger } from '@swim/platform';
import { ChaosProxy, startNats, type TestNats, until } from '@swim/testing';
import { connectNats, KeyNewsReader, keyStream, keyStreamConfig, keySubject } from '../src/index.js';

const logger = createLogger('tests', 'silent');

/** Notes what it is told. */
class Notes {
  readonly heard: KeyNews[] = [];
  readonly turns: ('begin' | 'lose')[] = [];
  signs = 0;
  begin(): void {
    this.turns.push('begin');
  }
  lose(): void {
    this.turns.push('lose');
  }
  alive(): void {
    this.signs += 1;
  }
  hear(news: KeyNews): void {
    this.heard.push(news);
  }
}

let nats: TestNats;
let proxy: ChaosProxy;
let teller: NatsConnection;
let reader: NatsConnection;
let notes: Notes;

beforeEach(async () => {
  nats = await startNats();
  const { hostname, port } = new URL(nats.url);
  proxy = await ChaosProxy.before(hostname, Number(port));
  teller = await connectNats(nats.url, 'teller', logger);
  reader = await connectNats(`nats://127.0.0.1:${proxy.address.port}`, 'reader', logger);
  notes = new Notes();
});
afterEach(async () => {
  await reader.close();
  await teller.close();
  await proxy.close();
  await nats.stop();
});

const start = () => new KeyNewsReader({ connection: reader, env: 'test', listener: notes, logger }).start();
const tell = (keyId: string) =>
  teller.request(keySubject('test', keyId), JSON.stringify({ keyId, revoked: true }), { timeout: 2_000 });
const begun = (times: number) =>
  until(() => notes.turns.filter((turn) => turn === 'begin').length === times, `it has begun ${times} times`, 20_000);
const heard = (keyId: string) => until(() => notes.heard.some((news) => news.keyId === keyId), `it hears of ${keyId}`);

describe('the reader of news of keys', () => {
  it('hears each in order from when it has begun, and none from before', async () => {
    await (await jetstreamManager(teller)).streams.add(keyStreamConfig('test'));
    await tell('key_0');
    await start();
    for (let n = 1; n <= 20; n++) await tell(`key_${n}`);
    await heard('key_20');
    expect(notes.heard.map(({ keyId }) => keyId)).toEqual(Array.from({ length: 20 }, (_, n) => `key_${n + 1}`));
    expect(notes.turns).toEqual(['begin']);
  });

  it('hears of the keys of its environment only', async () => {
    await start();
    await (await jetstreamManager(teller)).streams.add(keyStreamConfig('live'));
    await teller.request(keySubject('live', 'key_live'), JSON.stringify({ keyId: 'key_live', revoked: true }));
    await tell('key_test');
    await heard('key_test');
    expect(notes.heard.map(({ keyId }) => keyId)).toEqual(['key_test']);
  });

  it('is told four times a second that there are none', async () => {
    await start();
    const startedAtMs = performance.now();
    await until(() => notes.signs >= 5, 'five signs of life');
    expect(performance.now() - startedAtMs).toBeLessThan(2_500);
    expect(notes.turns).toEqual(['begin']);
  });

  it('hears after a cut what came meanwhile, or says that it may have missed it', async () => {
    await start();
    proxy.disturb({ unreachable: true });
    await tell('key_meanwhile');
    proxy.disturb({});
    const isTold = () => notes.turns.length > 1 || notes.heard.length > 0;
    await until(isTold, 'it hears of it, or begins anew', 20_000);
    await tell('key_next');
    await heard('key_next');
  });

  it('begins anew when the numbers of the server have a gap', async () => {
    await start();
    const { consumers } = await jetstreamManager(teller);
    const [consumer] = await consumers.list(keyStream('test')).next();
    const nine = headers(100, 'Idle Heartbeat');
    nine.set('Nats-Last-Consumer', '9');
    teller.publish((consumer!.config as { deliver_subject: string }).deliver_subject, '', { headers: nine });
    await begun(2);
    expect(notes.turns).toEqual(['begin', 'lose', 'begin']);
    await tell('key_next');
    await heard('key_next');
  });

  it('begins anew when its place at the server is gone', async () => {
    await start();
    const { consumers } = await jetstreamManager(teller);
    for await (const { name } of consumers.list(keyStream('test'))) await consumers.delete(keyStream('test'), name);
    await begun(2);
    await tell('key_1');
    await heard('key_1');
  });

  it('makes the stream again that a server has lost', async () => {
    await start();
    await (await jetstreamManager(teller)).streams.delete(keyStream('test'));
    await begun(2);
    await tell('key_1');
    await heard('key_1');
  });

  it('reads on after the server was killed', async () => {
    await start();
    await nats.kill();
    await nats.restart();
    await begun(2);
    await tell('key_1');
    await heard('key_1');
  });
});
