import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger, type Logger, sweepFailuresTotal } from '@swim/platform';
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
  it('runs repeatedly, never beside its previous run', async () => {
    const { work, runs, end } = gated();
    new Sweep('test', EVERY_MS, work, logger).start();
    expect(runs()).toBe(0);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(runs()).toBe(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS * 20);
    expect(runs()).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(runs()).toBe(2);
  });

  it('continues after a failure, and logs it', async () => {
    const { work, runs, end } = gated();
    new Sweep('test', EVERY_MS, work, logger).start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const failure = new Error('the database is away');
    end(failure);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(runs()).toBe(2);
    expect(warned).toHaveBeenCalledWith({ err: failure, component: 'test' }, 'sweep failed');
  });

  it('continues after a synchronous failure', async () => {
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

  it('waits for the run in progress when it stops, and runs no more', async () => {
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

  it('stops normally when the run in progress fails', async () => {
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

  it('stopped before its first run never runs, and cannot be restarted', async () => {
    const { work, runs } = gated();
    const sweep = new Sweep('test', EVERY_MS, work, logger);
    sweep.start();
    await sweep.stop();
    sweep.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS * 5);
    expect(runs()).toBe(0);
  });
});

describe('due items of a sweep', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ _id: `item ${index}` }));
  const failuresOf = async (sweep: string) =>
    (await sweepFailuresTotal.get()).values.find(({ labels }) => labels.sweep === sweep)?.value ?? 0;
  let errors: jest.SpiedFunction<Logger['error']>;
  beforeEach(() => {
    errors = jest.spyOn(logger, 'error');
  });

  it('are handled one by one: failing ones are counted and postponed, the others handled', async () => {
    const sweep = new Sweep('items', EVERY_MS, async () => undefined, logger);
    const handled: string[] = [];
    const postponed = new Map<string, number>();
    const handle = async ({ _id }: { _id: string }) => {
      if (_id !== 'item 150') throw new Error(`poisoned ${_id}`);
      handled.push(_id);
    };
    await sweep.each(items(151), handle, async ({ _id }, delayMs) => postponed.set(_id, delayMs));
    expect(handled).toEqual(['item 150']);
    expect(postponed.size).toBe(150);
    expect(await failuresOf('items')).toBe(150);
    expect(errors).toHaveBeenCalledTimes(150);
  });

  it('wait longer with each consecutive failure, at most half a minute, and start over after a success', async () => {
    const sweep = new Sweep('delays', EVERY_MS, async () => undefined, logger);
    const delays: number[] = [];
    const postpone = async (_: unknown, delayMs: number) => delays.push(delayMs);
    const fail = async () => {
      throw new Error('still');
    };
    for (let time = 0; time < 7; time++) await sweep.attempt({ _id: 'one' }, fail, postpone);
    await sweep.attempt({ _id: 'one' }, async () => undefined, postpone);
    await sweep.attempt({ _id: 'one' }, fail, postpone);
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000]);
  });

  it('that can be neither handled nor postponed do not block others', async () => {
    const sweep = new Sweep('stuck', EVERY_MS, async () => undefined, logger);
    const handled: string[] = [];
    const fail = async ({ _id }: { _id: string }) => {
      if (_id === 'item 0') throw new Error('poisoned');
      handled.push(_id);
    };
    await sweep.each(items(2), fail, () => Promise.reject(new Error('no database')));
    expect(handled).toEqual(['item 1']);
  });
});
