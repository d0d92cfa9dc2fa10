import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { REASONS, type Reason } from '@swim/contracts';
import { AppError } from '../errors/app-error.js';
import { createLogger } from '../observability/logger.js';
import { breakerState } from '../observability/metrics.js';
import { type BreakerOptions, ServiceBreaker } from './breaker.js';

let breaker: ServiceBreaker;
const logger = createLogger('tests', 'silent');

const makeBreaker = (options: BreakerOptions = {}): ServiceBreaker => {
  breaker = new ServiceBreaker('people', logger, { volumeThreshold: 4, resetTimeoutMs: 1_000, ...options });
  return breaker;
};

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error) => (error instanceof AppError ? error.reason : error),
  );

const answering = (): Promise<string> => breaker.run(async () => 'answered');
const failing = (error: unknown = new AppError('unavailable')): Promise<unknown> =>
  reasonOf(breaker.run(() => Promise.reject(error)));
const failTimes = async (times: number, error?: unknown): Promise<void> => {
  for (let time = 0; time < times; time++) await failing(error);
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  breaker.close();
  jest.useRealTimers();
});

describe('a circuit', () => {
  it('passes on results and errors while it is closed', async () => {
    makeBreaker();
    expect(await answering()).toBe('answered');
    expect(await failing()).toBe('unavailable');
    expect(breaker.state).toBe('closed');
  });

  it('opens on faults of the service and then rejects at once, without a request', async () => {
    makeBreaker();
    await failTimes(4);
    expect(breaker.state).toBe('open');
    const work = jest.fn(async () => 'answered');
    const rejection = await breaker.run(work).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(AppError);
    expect(rejection).toMatchObject({ reason: 'unavailable', retryAfterSeconds: 2 });
    expect(work).not.toHaveBeenCalled();
  });

  it('opens on unexpected errors, too', async () => {
    makeBreaker();
    await failTimes(4, new TypeError('x is undefined'));
    expect(breaker.state).toBe('open');
  });

  it('does not open on a few faults, nor on few among many', async () => {
    makeBreaker();
    await failTimes(3);
    expect(breaker.state).toBe('closed');
    for (let time = 0; time < 10; time++) await answering();
    await failTimes(3);
    expect(breaker.state).toBe('closed');
  });

  it('never opens on client errors, and passes them on unchanged', async () => {
    makeBreaker();
    const rejections = (Object.keys(REASONS) as Reason[]).filter((reason) => REASONS[reason].code !== 'SERVER_ERROR');
    for (const reason of rejections) expect(await failing(new AppError(reason))).toBe(reason);
    expect(breaker.state).toBe('closed');
  });

  it('does not open on what the service answers when one request fails in it', async () => {
    makeBreaker();
    for (let time = 0; time < 25; time++) expect(await failing(new AppError('internal'))).toBe('internal');
    expect(breaker.state).toBe('closed');
  });

  it('ignores faults outside its window', async () => {
    makeBreaker();
    await failTimes(3);
    await jest.advanceTimersByTimeAsync(11_000);
    await failTimes(3);
    expect(breaker.state).toBe('closed');
  });
});

describe('an open circuit', () => {
  it('permits one request after a while, and closes when that succeeds', async () => {
    makeBreaker();
    await failTimes(4);
    await jest.advanceTimersByTimeAsync(999);
    expect(await reasonOf(answering())).toBe('unavailable');
    await jest.advanceTimersByTimeAsync(1);
    expect(breaker.state).toBe('half-open');
    expect(await answering()).toBe('answered');
    expect(breaker.state).toBe('closed');
    expect(await answering()).toBe('answered');
  });

  it('permits only one request, and still rejects the others', async () => {
    makeBreaker();
    await failTimes(4);
    await jest.advanceTimersByTimeAsync(1_000);
    let answer = (_: string) => {};
    const trial = breaker.run(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    await jest.advanceTimersByTimeAsync(0);
    expect(await reasonOf(answering())).toBe('unavailable');
    answer('at last');
    expect(await trial).toBe('at last');
    expect(await answering()).toBe('answered');
  });

  it('opens again when the request fails', async () => {
    makeBreaker();
    await failTimes(4);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await failing()).toBe('unavailable');
    expect(breaker.state).toBe('open');
    expect(await reasonOf(answering())).toBe('unavailable');
  });

  it('closes when the request is rejected by a client error: the service works', async () => {
    makeBreaker();
    await failTimes(4);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await failing(new AppError('instructor_busy'))).toBe('instructor_busy');
    expect(breaker.state).toBe('closed');
  });
});

describe('the bulkhead before the circuit', () => {
  it('rejects excess requests, which does not open the circuit', async () => {
    makeBreaker({ maxInFlight: 1, maxQueued: 0, maxWaitMs: 100 });
    let answer = (_: string) => {};
    const slow = breaker.run(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    for (let time = 0; time < 50; time++) expect(await reasonOf(answering())).toBe('overloaded');
    expect([breaker.state, breaker.isFull]).toEqual(['closed', true]);
    answer('at last');
    expect(await slow).toBe('at last');
    expect(breaker.isFull).toBe(false);
    expect(await answering()).toBe('answered');
  });

  it('releases each slot, whatever the result of the request', async () => {
    makeBreaker({ maxInFlight: 1, maxQueued: 0, volumeThreshold: 5 });
    await failTimes(2);
    await failTimes(1, new AppError('not_found'));
    expect(
      await reasonOf(
        breaker.run(() => {
          throw new Error('before it began');
        }),
      ),
    ).toBeInstanceOf(Error);
    await failTimes(6);
    expect(await reasonOf(answering())).toBe('unavailable');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await answering()).toBe('answered');
  });
});

describe('the state of a circuit', () => {
  const gauge = async () => (await breakerState.get()).values.map(({ labels, value }) => [labels.breaker, value]);

  it('is a gauge and, when it changes, a log line', async () => {
    const warned = jest.spyOn(logger, 'warn');
    makeBreaker();
    expect(await gauge()).toEqual([['people', 0]]);
    await failTimes(4);
    expect(await gauge()).toEqual([['people', 2]]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await gauge()).toEqual([['people', 1]]);
    await answering();
    expect(await gauge()).toEqual([['people', 0]]);
    expect(warned.mock.calls.map(([fields, message]) => [fields, message])).toEqual(
      ['open', 'half-open', 'closed'].map((state) => [{ component: 'people', state }, 'circuit breaker changed']),
    );
    warned.mockRestore();
  });
});
