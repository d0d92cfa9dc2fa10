import { describe, expect, it } from '@jest/globals';
import { until } from './until.js';

describe('waiting until something holds', () => {
  it('answers what the condition answered', async () => {
    let looks = 0;
    expect(await until(() => (++looks === 3 ? 'three' : null), 'it is three')).toBe('three');
    expect(await until(async () => 1, 'it is one')).toBe(1);
  });

  it('fails with what it waited for when that never comes', async () => {
    await expect(until(() => false, 'the moon is green', 40)).rejects.toThrow(
      'Waited 40 ms in vain: the moon is green',
    );
  });

  it('fails at once when the condition does', async () => {
    const failing = () => Promise.reject(new Error('broken'));
    await expect(until(failing, 'never')).rejects.toThrow('broken');
  });
});
