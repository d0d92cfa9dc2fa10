import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { KeyInvalidation } from '@swim/contracts';
import { createLogger } from '@swim/platform';
import { ChaosProxy, startNats, type TestNats, until } from '@swim/testing';
import { connectNats, KeyInvalidationReader, keyStream, keySubject } from '../src/index.js';

const logger = createLogger('tests', 'silent');

/** Records the notifications of a reader. */
class Notes {
  readonly received: KeyInvalidation[] = [];
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
  invalidate(invalidation: KeyInvalidation): void {
    this.received.push(invalidation);
  }
}

let nats: TestNats;
let proxy: ChaosProxy;
let publisher: NatsConnection;
let reader: NatsConnection;
let notes: Notes;

beforeEach(async () => {
  nats = await startNats();
  proxy = await ChaosProxy.before(nats.url);
  publisher = await connectNats(nats.url, 'teller', logger);
  reader = await connectNats(proxy.uri, 'reader', logger);
  notes = new Notes();
});
afterEach(async () => {
  await reader.close();
  await publisher.close();
  await proxy.close();
  await nats.stop();
});

const start = () => new KeyInvalidationReader({ connection: reader, env: 'test', listener: notes }).start();
const publish = (keyId: string) =>
  publisher.request(keySubject('test', keyId), JSON.stringify({ keyId, revoked: true }), { timeout: 10_000 });
const begunAnew = () => until(() => notes.turns.filter((turn) => turn === 'begin').length > 1, 'it has begun anew');
const received = (keyId: string) => notes.received.some((invalidation) => invalidation.keyId === keyId);

/**
 * Repeats a round in which the reader started over, as it must when this machine is too busy for two seconds: it may then miss
 * an invalidation.
 */
async function undisturbed<T>(round: (isDisturbed: () => boolean) => Promise<T>): Promise<T> {
  for (;;) {
    await until(() => notes.turns.at(-1) === 'begin', 'it reads');
    const before = notes.turns.length;
    notes.received.length = 0;
    const isDisturbed = () => notes.turns.length > before;
    const result = await round(isDisturbed);
    if (!isDisturbed()) return result;
  }
}

/** The reader receives messages published from now on. */
const readsOn = () =>
  undisturbed(async (isDisturbed) => {
    // A server that has just been started may not answer in time.
    const isStored = () =>
      publish('key_next').then(
        () => true,
        () => false,
      );
    await until(isStored, 'the server stores it');
    await until(() => isDisturbed() || received('key_next'), 'it reads on');
  });

describe('the reader of key invalidations', () => {
  it('receives each in order', async () => {
    await start();
    const keys = await undisturbed(async (isDisturbed) => {
      for (let n = 1; n <= 20; n++) await publish(`key_${n}`);
      await until(() => isDisturbed() || received('key_20'), 'it receives the last');
      return notes.received.map(({ keyId }) => keyId);
    });
    expect(keys).toEqual(Array.from({ length: 20 }, (_, n) => `key_${n + 1}`));
  });

  it('shares one consumer with other readers, each of which receives all', async () => {
    await start();
    const second = await connectNats(nats.url, 'second reader', logger);
    const others = new Notes();
    try {
      await new KeyInvalidationReader({ connection: second, env: 'test', listener: others }).start();
      const receivedBy = ({ received: all }: Notes) => all.some(({ keyId }) => keyId === 'key_both');
      // A reader that starts over on a busy machine may miss one.
      const receivedByBoth = async () => {
        await publish('key_both');
        return receivedBy(notes) && receivedBy(others);
      };
      await until(receivedByBoth, 'both receive it');
    } finally {
      await second.close();
    }
  });

  it('receives what was published while nobody had a consumer', async () => {
    await start();
    const { consumers } = await jetstreamManager(publisher);
    for await (const { name } of consumers.list(keyStream('test'))) await consumers.delete(keyStream('test'), name);
    await publish('key_meanwhile');
    await until(() => received('key_meanwhile'), 'it receives it');
  });

  it('receives those of its environment only', async () => {
    await start();
    const invalidation = JSON.stringify({ keyId: 'key_live', revoked: true });
    const keys = await undisturbed(async (isDisturbed) => {
      await publisher.request(keySubject('live', 'key_live'), invalidation, { timeout: 10_000 });
      await publish('key_test');
      await until(() => isDisturbed() || received('key_test'), 'it receives its own');
      return notes.received.map(({ keyId }) => keyId);
    });
    expect(keys).toEqual(['key_test']);
  });

  it('receives four heartbeats a second', async () => {
    await start();
    // Several rounds are made, since other load may delay one.
    const isInTime = () =>
      undisturbed(async (isDisturbed) => {
        const [before, startedAtMs] = [notes.signs, performance.now()];
        await until(() => isDisturbed() || notes.signs >= before + 5, 'five signs of life');
        return performance.now() - startedAtMs < 2_500;
      });
    await until(isInTime, 'five signs of life come within two and a half seconds');
    expect(notes.received).toEqual([]);
  });

  it('receives messages published during a disconnection, or reports that it may have missed them', async () => {
    await start();
    proxy.disturb({ unreachable: true });
    await publish('key_meanwhile');
    proxy.disturb({});
    const isPublished = () => notes.turns.length > 1 || received('key_meanwhile');
    await until(isPublished, 'it receives it, or starts over');
    await readsOn();
  });

  it('starts over after a gap in the server’s numbers', async () => {
    await start();
    const { consumers } = await jetstreamManager(publisher);
    const nine = headers(100, 'Idle Heartbeat');
    nine.set('Nats-Last-Consumer', '9');
    for (const { config } of await consumers.list(keyStream('test')).next())
      publisher.publish((config as { deliver_subject: string }).deliver_subject, '', { headers: nine });
    await begunAnew();
    expect(notes.turns.slice(0, 3)).toEqual(['begin', 'lose', 'begin']);
    await readsOn();
  });

  it('starts over when its consumer on the server is gone', async () => {
    await start();
    await readsOn();
    const { consumers } = await jetstreamManager(publisher);
    for await (const { name } of consumers.list(keyStream('test'))) await consumers.delete(keyStream('test'), name);
    await begunAnew();
    await readsOn();
  });

  it('starts over when the stream is lost and made again', async () => {
    await start();
    await readsOn();
    await (await jetstreamManager(publisher)).streams.delete(keyStream('test'));
    await begunAnew();
    await readsOn();
  });

  it('continues after the server was killed', async () => {
    await start();
    await nats.kill();
    await nats.restart();
    await begunAnew();
    await readsOn();
  });
});
