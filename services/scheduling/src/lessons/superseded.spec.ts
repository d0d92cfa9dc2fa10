import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@swim/platform';
import { repeatSuperseded, superseded } from './superseded.js';

describe('a change that moves supersede', () => {
  let nowMs = 0;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => void jest.restoreAllMocks());

  /** A change that takes so long, and is superseded the first times; the numbers of its tries are added to `tries`. */
  const change = (tookMs: number, supersededTimes: number, tries: number[]) => async (): Promise<number> => {
    nowMs += tookMs;
    tries.push(tries.length + 1);
    if (tries.length <= supersededTimes) throw superseded();
    return tries.length;
  };

  it('is repeated until it succeeds', async () => {
    expect(await repeatSuperseded(change(10, 5, []))).toBe(6);
  });

  it('is repeated when its first try took longer than 300 ms', async () => {
    expect(await repeatSuperseded(change(2_000, 1, []))).toBe(2);
  });

  it('fails once 300 ms have passed since it was first superseded', async () => {
    const tries: number[] = [];
    await expect(repeatSuperseded(change(100, Number.POSITIVE_INFINITY, tries))).rejects.toThrow(superseded());
    expect(tries).toEqual([1, 2, 3, 4]);
  });

  it('is not repeated after another error', async () => {
    const tries: number[] = [];
    const failing = async () => {
      await change(1, 0, tries)();
      throw new AppError('in_past');
    };
    await expect(repeatSuperseded(failing)).rejects.toMatchObject({ reason: 'in_past' });
    expect(tries).toEqual([1]);
  });
});
