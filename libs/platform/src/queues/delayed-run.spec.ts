import { describe, expect, it } from '@jest/globals';
import { DelayedRun } from './delayed-run.js';

const NEVER_MS = 1_000_000;
const aTurn = () => new Promise(setImmediate);

/** Returns a delayed run whose work the test ends. */
function controlled(delayMs: number) {
  const ends: (() => void)[] = [];
  const delayed = new DelayedRun(delayMs, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  });
  return { delayed, ends };
}

describe('a delayed run', () => {
  it('begins after the delay, once for all requests until then', async () => {
    const { delayed, ends } = controlled(1);
    delayed.request();
    delayed.request();
    expect(ends).toHaveLength(0);
    while (ends.length === 0) await aTurn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await delayed.stop();
  });

  it('begins after the end of the run in progress when it is requested meanwhile', async () => {
    const { delayed, ends } = controlled(NEVER_MS);
    delayed.request();
    const first = delayed.flush();
    await aTurn();
    delayed.request();
    const second = delayed.flush();
    await aTurn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await first;
    await aTurn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await second;
  });

  it('does not begin by a flush without a request', async () => {
    const { delayed, ends } = controlled(NEVER_MS);
    await delayed.flush();
    expect(ends).toHaveLength(0);
  });

  it('is dropped by a stop, which waits for the run in progress', async () => {
    const { delayed, ends } = controlled(NEVER_MS);
    delayed.request();
    void delayed.flush();
    await aTurn();
    delayed.request();
    let hasStopped = false;
    const stopping = delayed.stop().then(() => {
      hasStopped = true;
    });
    await aTurn();
    expect([ends.length, hasStopped]).toEqual([1, false]);
    ends[0]!();
    await stopping;
    expect(ends).toHaveLength(1);
  });
});
