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
  teller.request(keySubject('test', keyId), JSON.stringify({ keyId, revoked: true }), { timeout: 10_000 });
const begunAnew = () => until(() => notes.turns.filter((turn) => turn === 'begin').length > 1, 'it has begun anew');
const heard = (keyId: string) => notes.heard.some((news) => news.keyId === keyId);

/**
 * Runs a round again until the reader has not begun anew meanwhile, as it must when this machine is too busy for two
 * seconds: what is told in that moment may be missed.
 */
async function undisturbed<T>(round: (isDisturbed: () => boolean) => Promise<T>): Promise<T> {
  for (;;) {
    await until(() => notes.turns.at(-1) === 'begin', 'it reads');
    const before = notes.turns.length;
    notes.heard.length = 0;
    const isDisturbed = () => notes.turns.length > before;
    const result = await round(isDisturbed);
    if (!isDisturbed()) return result;
  }
}

/** The reader hears what it is told from now on. */
const readsOn = () =>
  undisturbed(async (isDisturbed) => {
    await tell('key_next');
    await until(() => isDisturbed() || heard('key_next'), 'it reads on');
  });

describe('the reader of news of keys', () => {
  it('hears each in order from when it has begun, and none from before', async () => {
    await (await jetstreamManager(teller)).streams.add(keyStreamConfig('test'));
    await tell('key_0');
    await start();
    const keys = await undisturbed(async (isDisturbed) => {
      for (let n = 1; n <= 20; n++) await tell(`key_${n}`);
      await until(() => isDisturbed() || heard('key_20'), 'it hears of the last');
      return notes.heard.map(({ keyId }) => keyId);
    });
    expect(keys).toEqual(Array.from({ length: 20 }, (_, n) => `key_${n + 1}`));
  });

  it('hears of the keys of its environment only', async () => {
    await start();
    await (await jetstreamManager(teller)).streams.add(keyStreamConfig('live'));
    const news = JSON.stringify({ keyId: 'key_live', revoked: true });
    const keys = await undisturbed(async (isDisturbed) => {
      await teller.request(keySubject('live', 'key_live'), news, { timeout: 10_000 });
      await tell('key_test');
      await until(() => isDisturbed() || heard('key_test'), 'it hears of its own');
      return notes.heard.map(({ keyId }) => keyId);
    });
    expect(keys).toEqual(['key_test']);
  });

  it('is told four times a second that there are none', async () => {
    await start();
    // Of several rounds, for one may be held up by what else this machine does.
    const isInTime = () =>
      undisturbed(async (isDisturbed) => {
        const [before, startedAtMs] = [notes.signs, performance.now()];
        await until(() => isDisturbed() || notes.signs >= before + 5, 'five signs of life');
        return performance.now() - startedAtMs < 2_500;
      });
    await until(isInTime, 'five signs of life come within two and a half seconds');
    expect(notes.heard).toEqual([]);
  });

  it('hears after a cut what came meanwhile, or says that it may have missed it', async () => {
    await start();
    proxy.disturb({ unreachable: true });
    await tell('key_meanwhile');
    proxy.disturb({});
    const isTold = () => notes.turns.length > 1 || heard('key_meanwhile');
    await until(isTold, 'it hears of it, or begins anew');
    await readsOn();
  });

  it('begins anew when the numbers of the server have a gap', async () => {
    await start();
    const { consumers } = await jetstreamManager(teller);
    const nine = headers(100, 'Idle Heartbeat');
    nine.set('Nats-Last-Consumer', '9');
    for (const { config } of await consumers.list(keyStream('test')).next())
      teller.publish((config as { deliver_subject: string }).deliver_subject, '', { headers: nine });
    await begunAnew();
    expect(notes.turns.slice(0, 3)).toEqual(['begin', 'lose', 'begin']);
    await readsOn();
  });

  it('begins anew when its place at the server is gone', async () => {
    await start();
    const { consumers } = await jetstreamManager(teller);
    for await (const { name } of consumers.list(keyStream('test'))) await consumers.delete(keyStream('test'), name);
    await begunAnew();
    await readsOn();
  });

  it('makes the stream again that a server has lost', async () => {
    await start();
    await (await jetstreamManager(teller)).streams.delete(keyStream('test'));
    await begunAnew();
    await readsOn();
  });

  it('reads on after the server was killed', async () => {
    await start();
    await nats.kill();
    await nats.restart();
    await begunAnew();
    await readsOn();
  });
});
