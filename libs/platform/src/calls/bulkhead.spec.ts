import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../errors/app-error.js';
import { Bulkhead } from './bulkhead.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

type Outcome = 'waiting' | 'rejected' | (() => void);

/** Requests a slot and records its outcome. */
function enter(bulkhead: Bulkhead): { outcome: Outcome; error: unknown } {
  const entered: { outcome: Outcome; error: unknown } = { outcome: 'waiting', error: undefined };
  bulkhead.enter().then(
    (leave) => {
      entered.outcome = leave;
    },
    (error) => {
      entered.outcome = 'rejected';
      entered.error = error;
    },
  );
  return entered;
}

const flush = () => jest.advanceTimersByTimeAsync(0);
const isIn = ({ outcome }: { outcome: Outcome }) => typeof outcome === 'function';
const leave = ({ outcome }: { outcome: Outcome }) => (outcome as () => void)();

describe('a bulkhead', () => {
  it('admits as many as it has slots, and the others in order of arrival', async () => {
    const bulkhead = new Bulkhead({ maxInFlight: 2, maxQueued: 3, maxWaitMs: 100 });
    const all = Array.from({ length: 5 }, () => enter(bulkhead));
    await flush();
    expect(all.map(isIn)).toEqual([true, true, false, false, false]);
    leave(all[1]!);
    await flush();
    expect(all.map(isIn)).toEqual([true, true, true, false, false]);
    leave(all[0]!);
    leave(all[2]!);
    await flush();
    expect(all.map(isIn)).toEqual([true, true, true, true, true]);
    expect(bulkhead.inFlight).toBe(2);
  });

  it('rejects at once when its queue is full, with a retry delay', async () => {
    const bulkhead = new Bulkhead({ maxInFlight: 1, maxQueued: 1, maxWaitMs: 100 });
    const [inside, queued, rejected] = [enter(bulkhead), enter(bulkhead), enter(bulkhead)];
    await flush();
    expect([isIn(inside), queued.outcome, rejected.outcome]).toEqual([true, 'waiting', 'rejected']);
    expect(rejected.error).toBeInstanceOf(AppError);
    expect(rejected.error).toMatchObject({ reason: 'overloaded', retryAfterSeconds: 1 });
  });

  it('is full when neither a slot nor a place in its queue is free', async () => {
    const bulkhead = new Bulkhead({ maxInFlight: 1, maxQueued: 1, maxWaitMs: 100 });
    const inside = enter(bulkhead);
    await flush();
    expect(bulkhead.isFull).toBe(false);
    enter(bulkhead);
    expect(bulkhead.isFull).toBe(true);
    leave(inside);
    expect(bulkhead.isFull).toBe(false);
    enter(bulkhead);
    expect(bulkhead.isFull).toBe(true);
    await jest.advanceTimersByTimeAsync(100);
    expect(bulkhead.isFull).toBe(false);
  });

  it('rejects after the maximum wait, and gives the slot to the next', async () => {
    const bulkhead = new Bulkhead({ maxInFlight: 1, maxQueued: 5, maxWaitMs: 100 });
    const [inside, impatient] = [enter(bulkhead), enter(bulkhead)];
    await jest.advanceTimersByTimeAsync(60);
    const later = enter(bulkhead);
    await jest.advanceTimersByTimeAsync(39);
    expect(impatient.outcome).toBe('waiting');
    await jest.advanceTimersByTimeAsync(1);
    expect(impatient.error).toMatchObject({ reason: 'overloaded' });
    leave(inside);
    await flush();
    expect(isIn(later)).toBe(true);
    expect(bulkhead.inFlight).toBe(1);
  });

  it('counts a slot released twice once', async () => {
    const bulkhead = new Bulkhead({ maxInFlight: 1, maxQueued: 5, maxWaitMs: 100 });
    const [first, second, third] = [enter(bulkhead), enter(bulkhead), enter(bulkhead)];
    await flush();
    leave(first);
    leave(first);
    await flush();
    expect([isIn(second), third.outcome, bulkhead.inFlight]).toEqual([true, 'waiting', 1]);
  });

  it('without limits of its own has the defaults', async () => {
    const bulkhead = new Bulkhead();
    const all = Array.from({ length: 128 + 64 + 1 }, () => enter(bulkhead));
    await flush();
    expect([all.filter(isIn).length, all.at(-1)!.outcome, all.at(-2)!.outcome]).toEqual([128, 'rejected', 'waiting']);
    await jest.advanceTimersByTimeAsync(100);
    expect(all.at(-2)!.outcome).toBe('rejected');
  });
});

const steps = fc.array(
  fc.oneof(
    fc.constant({ does: 'enter' as const }),
    fc.record({ does: fc.constant('leave' as const), which: fc.nat(20) }),
    fc.record({ does: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }),
  ),
  { minLength: 10, maxLength: 80 },
);

describe('under any sequence of arrivals, time-outs and releases', () => {
  it('never admits more than it has slots, leaves a slot empty while one waits, or loses a slot', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.nat(4), steps, async (maxInFlight, maxQueued, all) => {
        const bulkhead = new Bulkhead({ maxInFlight, maxQueued, maxWaitMs: 100 });
        const entered: ReturnType<typeof enter>[] = [];
        const left = new Set<unknown>();
        const inside = () => entered.filter((one) => isIn(one) && !left.has(one));
        const go = (one: ReturnType<typeof enter> | undefined) => {
          if (one) leave(one);
          left.add(one);
        };
        for (const step of all) {
          if (step.does === 'enter') entered.push(enter(bulkhead));
          if (step.does === 'leave') go(inside()[step.which % Math.max(inside().length, 1)]);
          await jest.advanceTimersByTimeAsync(step.does === 'wait' ? step.ms : 0);
          const waiting = entered.filter(({ outcome }) => outcome === 'waiting').length;
          expect(bulkhead.inFlight).toBe(inside().length);
          expect(inside().length).toBeLessThanOrEqual(maxInFlight);
          expect(waiting).toBeLessThanOrEqual(maxQueued);
          if (waiting > 0) expect(inside().length).toBe(maxInFlight);
        }
        await jest.advanceTimersByTimeAsync(100);
        for (const one of inside()) go(one);
        expect(bulkhead.inFlight).toBe(0);
        const fresh = Array.from({ length: maxInFlight }, () => enter(bulkhead));
        await flush();
        expect(fresh.every(isIn)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
