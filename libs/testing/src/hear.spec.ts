import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { hear } from './hear.js';
import { startNats, type TestNats } from './nats-server.js';
import { until } from './until.js';

let nats: TestNats;
let connection: NatsConnection;
let teller: NatsConnection;
beforeAll(async () => {
  nats = await startNats();
  [connection, teller] = [await connect({ servers: nats.url }), await connect({ servers: nats.url })];
});
afterAll(async () => {
  await teller?.close();
  await connection?.close();
  await nats?.stop();
});

function tell(text: string, messageId?: string): void {
  const own = headers();
  if (messageId) own.set('Nats-Msg-Id', messageId);
  teller.publish('news.of.the.day', JSON.stringify({ text }), { headers: own });
}

describe('what is heard', () => {
  it('is all that is told from then on by others, in order, and once what has one message id', async () => {
    tell('too early', 'a');
    await teller.flush();
    const told = await hear<{ text: string }>(connection, 'news.>');
    for (const [text, id] of [['one', 'a'], ['two', 'b'], ['one', 'a'], ['free'], ['free'], ['two', 'b'], ['last']]) {
      tell(text!, id);
    }
    await until(() => told.at(-1)?.text === 'last', 'the last is heard');
    expect(told.map(({ text }) => text)).toEqual(['one', 'two', 'free', 'free', 'last']);
  });
});
