import { expect, it } from '@jest/globals';
import { keyedSender } from './keyed-sender.ts';

it('keeps a key for the values of a write until it is answered', async () => {
  const keys: string[] = [];
  const sender = keyedSender((error) => error === 'rejected');
  const send = (values: object | undefined, error?: string) =>
    sender(values, (_, key) => {
      keys.push(key);
      return error ? Promise.reject(error) : Promise.resolve();
    }).catch(() => undefined);
  await send({ cents: 1 }, 'no answer');
  await send({ cents: 1 }, 'no answer');
  await send({ cents: 1 }, 'rejected');
  await send({ cents: 1 }, 'no answer');
  await send({ cents: 2 });
  await send({ cents: 2 });
  await send(undefined, 'no answer');
  await send({ cents: 3 }, 'no answer');
  await send(undefined);
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 3, 4, 5, 6, 7, 6]);
});
