import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LoadLimit } from './load-limit.js';

const MOST = 8;
const LATE_MS = 5_001;

let nowMs: number;
let limit: LoadLimit;
beforeEach(() => {
  nowMs = 0;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  limit = new LoadLimit(MOST);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Begins an attempt; the returned function ends it. */
function begin(): () => Promise<{ isLate: boolean }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = limit.run(() => promise);
  return () => {
    resolve();
    return running;
  };
}

/** Ends an attempt late; the process stood still meanwhile. */
async function endLate(): Promise<void> {
  const end = begin();
  nowMs += LATE_MS;
  expect(await end()).toMatchObject({ isLate: true });
}

describe('the limit of requests in flight', () => {
  it('is halved by a late answer of a process that stood still, down to two', async () => {
    await endLate();
    expect(limit.current).toBe(4);
    await endLate();
    await endLate();
    expect(limit.current).toBe(2);
  });

  it('is halved once by late answers to attempts that were in flight together', async () => {
    const ends = [begin(), begin(), begin()];
    nowMs += LATE_MS;
    for (const end of ends) await end();
    expect(limit.current).toBe(4);
  });

  it('is kept after a late answer of a process that was active all the time', async () => {
    const end = begin();
    nowMs += LATE_MS;
    jest.advanceTimersByTime(LATE_MS);
    expect(await end()).toMatchObject({ isLate: true });
    expect(limit.current).toBe(MOST);
  });

  it('is raised again by quick answers, up to the most', async () => {
    await endLate();
    for (let answers = 0; answers < 100; answers++) expect(await begin()()).toMatchObject({ isLate: false });
    expect(limit.current).toBe(MOST);
  });

  it('is kept by an attempt that waits until another has ended', async () => {
    const ends = Array.from({ length: MOST }, begin);
    const attempt = jest.fn(async () => 'answered');
    const waiting = limit.run(attempt);
    expect(attempt).not.toHaveBeenCalled();
    await ends[0]!();
    expect(await waiting).toMatchObject({ result: 'answered' });
    for (const end of ends.slice(1)) await end();
  });
});
