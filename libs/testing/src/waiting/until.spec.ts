import { describe, expect, it } from '@jest/globals';
import { until } from './until.js';

describe('until', () => {
  it('returns the condition’s result', async () => {
    let looks = 0;
    expect(await until(() => (++looks === 3 ? 'three' : null), 'it is three')).toBe('three');
    expect(await until(async () => 1, 'it is one')).toBe(1);
  });

  it('fails with its description after the time-out', async () => {
    await expect(until(() => false, 'the moon is green', 40)).rejects.toThrow(
      'Waited 40 ms in vain: the moon is green',
    );
  });

  it('fails at once when the condition throws', async () => {
    const failing = () => Promise.reject(new Error('broken'));
    await expect(until(failing, 'never')).rejects.toThrow('broken');
  });
});
