import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { startNats, type TestNats } from '../servers/nats-server.js';
import { until } from '../waiting/until.js';
import { collectMessages } from './collect-messages.js';

let nats: TestNats;
let connection: NatsConnection;
let publisher: NatsConnection;
beforeAll(async () => {
  nats = await startNats();
  [connection, publisher] = [await connect({ servers: nats.url }), await connect({ servers: nats.url })];
});
afterAll(async () => {
  await publisher?.close();
  await connection?.close();
  await nats?.stop();
});

function publish(text: string, messageId?: string): void {
  const own = headers();
  if (messageId) own.set('Nats-Msg-Id', messageId);
  publisher.publish('news.of.the.day', JSON.stringify({ text }), { headers: own });
}

describe('collected messages', () => {
  it('are those published from then on by others, in order, each message id once', async () => {
    publish('too early', 'a');
    await publisher.flush();
    const received = await collectMessages<{ text: string }>(connection, 'news.>');
    for (const [text, id] of [['one', 'a'], ['two', 'b'], ['one', 'a'], ['free'], ['free'], ['two', 'b'], ['last']]) {
      publish(text!, id);
    }
    await until(() => received.at(-1)?.text === 'last', 'the last is received');
    expect(received.map(({ text }) => text)).toEqual(['one', 'two', 'free', 'free', 'last']);
  });

  it('are the events of a message that has several', async () => {
    const received = await collectMessages<{ n: number }>(connection, 'news.>');
    publisher.publish('news.of.the.day', JSON.stringify([{ n: 1 }, { n: 2 }]));
    await until(() => received.length === 2, 'both are received');
    expect(received).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('have each event once, whichever messages have it', async () => {
    const received = await collectMessages<{ id: string }>(connection, 'news.>');
    for (const ids of [['a', 'b'], ['a'], ['c'], ['b', 'c'], ['last']]) {
      const own = headers();
      own.set('Nats-Msg-Id', ids.join('+'));
      const events = ids.map((id) => ({ id }));
      publisher.publish('news.of.the.day', JSON.stringify(ids.length === 1 ? events[0] : events), { headers: own });
    }
    await until(() => received.at(-1)?.id === 'last', 'the last is received');
    expect(received.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'last']);
  });
});
