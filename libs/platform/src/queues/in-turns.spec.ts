import { expect, it } from '@jest/globals';
import { inTurns } from './in-turns.js';

it('handles all items, so many at once', async () => {
  const [handled, running] = [[] as number[], new Set<number>()];
  let most = 0;
  await inTurns([1, 2, 3, 4, 5], 2, async (item) => {
    running.add(item);
    most = Math.max(most, running.size);
    await Promise.resolve();
    running.delete(item);
    handled.push(item);
  });
  expect(handled.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('throws the first failure when what was begun has ended, and begins nothing after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: number[] = [];
  let hasEnded = false;
  const work = inTurns([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('failed');
    await promise;
    hasEnded = true;
  });
  const outcome = work.catch((error: Error) => [error.message, hasEnded]);
  resolve();
  expect(await outcome).toEqual(['failed', true]);
  expect(begun).toEqual([1, 2]);
});
