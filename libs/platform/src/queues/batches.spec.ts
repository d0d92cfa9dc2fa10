import { describe, expect, it } from '@jest/globals';
import { Batches, type Outcome } from './batches.js';

const NEVER_MS = 1_000_000;

/** Returns batches whose handling the test ends. */
function controlled(limits: { mostItems: number; waitMs: number }) {
  const handled: { items: number[]; end: (outcomes?: Outcome[]) => void; fail: (error: Error) => void }[] = [];
  const batches = new Batches<number>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
    handled.push({ items, end: (outcomes = []) => resolve(outcomes), fail: reject });
    return promise;
  }, limits);
  return { batches, handled };
}

describe('batches', () => {
  it('contain the items added within the wait, and are handled after it', async () => {
    const { batches, handled } = controlled({ mostItems: 10, waitMs: 1 });
    const added = [1, 2, 3].map((item) => batches.add(item));
    expect(handled).toEqual([]);
    while (handled.length === 0) await new Promise(setImmediate);
    handled[0]!.end();
    await Promise.all(added);
    expect(handled.map(({ items }) => items)).toEqual([[1, 2, 3]]);
  });

  it('are handled at once when full, one at a time, and items added meanwhile are the next one', async () => {
    const { batches, handled } = controlled({ mostItems: 2, waitMs: NEVER_MS });
    const added = [1, 2, 3, 4, 5].map((item) => batches.add(item));
    expect(handled.map(({ items }) => items)).toEqual([[1, 2]]);
    for (let batch = 0; batch < 3; batch++) {
      expect(handled).toHaveLength(batch + 1);
      handled[batch]!.end();
      await Promise.all(added.slice(batch * 2, batch * 2 + 2));
      await new Promise(setImmediate);
    }
    expect(handled.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('reject the items that failed, and all items of a batch that failed as a whole', async () => {
    const { batches, handled } = controlled({ mostItems: 2, waitMs: NEVER_MS });
    const added = [1, 2, 3, 4].map((item) => batches.add(item));
    const outcomes = Promise.allSettled(added);
    handled[0]!.end([undefined, new Error('not this one')]);
    await added[0];
    await new Promise(setImmediate);
    handled[1]!.fail(new Error('none'));
    const reasons = (await outcomes).map((each) => (each.status === 'rejected' ? each.reason.message : null));
    expect(reasons).toEqual([null, 'not this one', 'none', 'none']);
  });
});
