import { describe, expect, it } from '@jest/globals';
import { Recent } from './recent.js';

describe('Recent', () => {
  it('forgets what was set longest ago once there is more than it holds', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    recent.set('c', 4);
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, undefined, 4]);
  });

  it('forgets on request', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.forget('a');
    expect(recent.get('a')).toBeUndefined();
  });
});
