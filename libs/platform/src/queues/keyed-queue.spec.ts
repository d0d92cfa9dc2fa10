import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

describe('KeyedQueue', () => {
  it('runs the work of one key in order, one at a time', async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const work = (name: string, turns: number) => async () => {
      log.push(`${name} begins`);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      log.push(`${name} ends`);
    };
    await Promise.all([queue.run('k', work('a', 9)), queue.run('k', work('b', 1)), queue.run('k', work('c', 4))]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('runs different keys side by side', async () => {
    const queue = new KeyedQueue();
    let open = () => {};
    const held = queue.run('a', () => new Promise<void>((resolve) => (open = resolve)));
    await expect(queue.run('b', async () => 'done')).resolves.toBe('done');
    open();
    await held;
  });

  it('continues after failed work, whose error only its own promise gets', async () => {
    const queue = new KeyedQueue();
    const failed = queue.run('k', async () => {
      throw new Error('no');
    });
    const next = queue.run('k', async () => 'next');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
  });

  it('drops a key once its work is done', async () => {
    const queue = new KeyedQueue();
    await Promise.all([queue.run('a', async () => 1), queue.run('a', async () => 2), queue.run('b', async () => 3)]);
    expect(queue.size).toBe(0);
  });
});
