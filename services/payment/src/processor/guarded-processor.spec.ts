import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AppError, Logger } from '@swim/platform';
import { guardedProcessor } from './guarded-processor.js';
import type { Processor } from './processor.js';

const TIMEOUT_MS = 5_000;
const CALL_MS = 30_000;
const logger = { warn: () => undefined } as unknown as Logger;

/** A processor each of whose answers takes this long; it counts its calls. */
function aProcessor(callMs: number) {
  const calls = { begun: 0 };
  const detachMethod = () => {
    calls.begun++;
    return new Promise<void>((resolve) => setTimeout(resolve, callMs));
  };
  return { calls, guarded: guardedProcessor('slow', { detachMethod } as unknown as Processor, TIMEOUT_MS, logger) };
}

const reasonsOf = (calls: Promise<void>[]) =>
  Promise.all(
    calls.map((each) =>
      each.then(
        () => 'answered',
        (error: AppError) => error.reason,
      ),
    ),
  );
const count = (reasons: string[], reason: string) => reasons.filter((each) => each === reason).length;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a processor that takes 30 seconds a call', () => {
  it('has at most 32 calls under way; further ones are rejected after 100 ms', async () => {
    const { calls, guarded } = aProcessor(CALL_MS);
    const outcomes = reasonsOf(Array.from({ length: 100 }, () => guarded.detachMethod('pm_x')));
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    const reasons = await outcomes;
    expect([count(reasons, 'overloaded'), count(reasons, 'unavailable')]).toEqual([68, 32]);
    expect(calls.begun).toBe(32);
  });

  it('keeps the place of a call that timed out until the call has ended', async () => {
    const { calls, guarded } = aProcessor(CALL_MS);
    void reasonsOf(Array.from({ length: 32 }, () => guarded.detachMethod('pm_x')));
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS + 1);
    const early = reasonsOf([guarded.detachMethod('pm_x')]);
    await jest.advanceTimersByTimeAsync(200);
    expect(await early).toEqual(['overloaded']);
    expect(calls.begun).toBe(32);
  });

  it('opens the circuit: calls after it are rejected without reaching the processor', async () => {
    const { calls, guarded } = aProcessor(CALL_MS);
    void reasonsOf(Array.from({ length: 24 }, () => guarded.detachMethod('pm_x')));
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS + 1);
    expect(await reasonsOf([guarded.detachMethod('pm_x')])).toEqual(['unavailable']);
    expect(calls.begun).toBe(24);
  });
});

describe('a processor that answers', () => {
  it('is called and answered unchanged', async () => {
    const { calls, guarded } = aProcessor(10);
    const outcomes = reasonsOf(Array.from({ length: 5 }, () => guarded.detachMethod('pm_x')));
    await jest.advanceTimersByTimeAsync(20);
    expect(await outcomes).toEqual(Array.from({ length: 5 }, () => 'answered'));
    expect(calls.begun).toBe(5);
  });
});
