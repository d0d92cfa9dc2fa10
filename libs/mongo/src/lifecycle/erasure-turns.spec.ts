import { expect, it } from '@jest/globals';
import { type Logger, systemContext } from '@swim/platform';
import { ErasureTurns } from './erasure-turns.js';

it('an erasure takes all of a batch at once, and one that fails does not block the others', async () => {
  const logged: object[] = [];
  const turns = new ErasureTurns({ warn: (fields: object) => logged.push(fields) } as unknown as Logger);
  const left = new Set(['mem_1', 'mem_2', 'mem_3']);
  const { promise: allBegun, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const erase = async (id: string) => {
    if (++begun === 3) resolve();
    await allBegun;
    if (id === 'mem_2' && begun === 3) throw new Error('The connection was reset.');
    left.delete(id);
  };
  const isDone = await turns.take({ find: async () => [...left], erase }, systemContext('test', 'acct_1', 10_000));
  expect([isDone, [...left]]).toEqual([true, []]);
  expect(logged).toMatchObject([{ objectId: 'mem_2' }]);
});
