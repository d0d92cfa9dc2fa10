import { describe, expect, it } from '@jest/globals';
import { Turn } from './turn.js';

const turnOver = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a turn', () => {
  it('runs the sends added in it, in order, at its end', async () => {
    const turn = new Turn();
    const sent: number[] = [];
    for (const n of [1, 2, 3]) turn.atEnd(() => sent.push(n));
    await Promise.resolve();
    expect(sent).toEqual([]);
    await turnOver();
    expect(sent).toEqual([1, 2, 3]);
  });

  it('runs them at once, and only once, when it is ended', async () => {
    const turn = new Turn();
    const sent: number[] = [];
    turn.atEnd(() => sent.push(1));
    turn.end();
    expect(sent).toEqual([1]);
    await turnOver();
    expect(sent).toEqual([1]);
  });

  it('is followed by the next one: sends added while sending run there', async () => {
    const turn = new Turn();
    const sent: number[] = [];
    turn.atEnd(() => turn.atEnd(() => sent.push(2)));
    turn.end();
    expect(sent).toEqual([]);
    await turnOver();
    expect(sent).toEqual([2]);
  });
});
