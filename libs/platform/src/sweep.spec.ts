import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger } from './logger.js';
import { Sweep } from './sweep.js';

const EVERY_MS = 1_000;
let logger: Logger;
let warned: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  jest.useFakeTimers();
  logger = createLogger('tests', 'silent');
  warned = jest.spyOn(logger, 'warn');
});
afterEach(() => void jest.useRealTimers());

/** Work that a test ends. */
function gated(): { work: () => Promise<void>; runs: () => number; end: (error?: Error) => void } {
  let runs = 0;
  let end = (_?: Error) => {};
  const work = () => {
    runs++;
    return new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve());
    });
  };
  return { work, runs: () => runs, end: (error) => end(error) };
}

describe('a sweep', () => {
  it('runs again and again, each time its interval after the end of the one before', async () => {
    const { work, runs, end } = gated();
    const sweep = new Sweep('test', EVERY_MS, work, logger);
    sweep.start();
    expect(runs()).toBe(0);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(runs()).toBe(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS * 20);
    expect(runs()).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS - 1);
    expect(runs()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(2);
  });

  it('goes on after a failure, and tells of it', async () => {
    const { work, runs, end } = gated();
    new Sweep('test', EVERY_MS, work, logger).start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const failure = new Error('the database is away');
    end(failure);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(runs()).toBe(2);
    expect(warned).toHaveBeenCalledWith({ err: failure, name: 'test' }, 'sweep failed');
  });

  it('goes on after a failure that came before there was anything to wait for', async () => {
    let runs = 0;
    const work = (): Promise<void> => {
      runs++;
      throw new Error('at once');
    };
    new Sweep('test', EVERY_MS, work, logger).start();
    await jest.advanceTimersByTimeAsync(EVERY_MS * 2);
    expect(runs).toBe(2);
    expect(warned).toHaveBeenCalledTimes(2);
  });

  it('that stops waits for the run under way and has no other', async () => {
    const { work, runs, end } = gated();
    const sweep = new Sweep('test', EVERY_MS, work, logger);
    sweep.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    let stopped = false;
    const stopping = sweep.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(EVERY_MS * 5);
    expect(stopped).toBe(false);
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(EVERY_MS * 5);
    expect(runs()).toBe(1);
  });

  it('that stops ends well when the run under way fails', async () => {
    const { work, runs, end } = gated();
    const sweep = new Sweep('test', EVERY_MS, work, logger);
    sweep.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const stopping = sweep.stop();
    end(new Error('late'));
    await stopping;
    await jest.advanceTimersByTimeAsync(EVERY_MS * 5);
    expect(runs()).toBe(1);
  });

  it('that stops before its first run never runs, nor can it be started again', async () => {
    const { work, runs } = gated();
    const sweep = new Sweep('test', EVERY_MS, work, logger);
    sweep.start();
    await sweep.stop();
    sweep.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS * 5);
    expect(runs()).toBe(0);
  });
});
