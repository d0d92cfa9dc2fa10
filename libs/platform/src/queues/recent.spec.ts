import { describe, expect, it } from '@jest/globals';
import { Recent } from './recent.js';

describe('Recent', () => {
  it('evicts the least recently set value above its capacity', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    recent.set('c', 4);
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, undefined, 4]);
  });

  it('removes a value on request', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.forget('a');
    expect(recent.get('a')).toBeUndefined();
  });
});
