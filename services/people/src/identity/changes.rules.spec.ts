import { describe, expect, it } from '@jest/globals';
import { differing, given } from './changes.rules.js';

describe('changes', () => {
  it('omit absent fields, and keep null', () => {
    expect(given({ a: undefined, b: null, c: 0 })).toEqual({ b: null, c: 0 });
  });

  it('contain the requested values that differ, compared by value', () => {
    expect(differing({ a: 1, b: [1, 2], c: null }, { a: 1, b: [1, 2], c: 'x' })).toEqual({ c: 'x' });
    expect(differing({ b: [1, 2] }, { b: [2, 1] })).toEqual({ b: [2, 1] });
  });
});
