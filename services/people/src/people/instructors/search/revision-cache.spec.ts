import { describe, expect, it } from '@jest/globals';
import { RevisionCache } from './revision-cache.js';

const aCache = () => new RevisionCache<string>(10, ({ length }) => length);

describe('a cache by revision', () => {
  it('returns a value under its own revision only', () => {
    const cache = aCache();
    cache.keep('a', 1, 'one');
    expect(cache.find('a', 1)).toBe('one');
    expect(cache.find('a', 2)).toBeUndefined();
    cache.keep('a', 2, 'two');
    expect(cache.find('a', 1)).toBeUndefined();
    expect(cache.find('a', 2)).toBe('two');
    expect(cache.find('b', 1)).toBeUndefined();
  });

  it('evicts the least recently used entries when it grows too large', () => {
    const cache = aCache();
    for (const id of ['a', 'b', 'c']) cache.keep(id, 1, 'xxx');
    cache.find('a', 1);
    cache.keep('d', 1, 'xxx');
    expect(['a', 'b', 'c', 'd'].map((id) => cache.find(id, 1) !== undefined)).toEqual([true, false, true, true]);
  });

  it('counts a replaced entry once, and stores nothing that exceeds the limit alone', () => {
    const cache = aCache();
    for (let rev = 1; rev <= 50; rev++) cache.keep('a', rev, 'xxxxx');
    cache.keep('b', 1, 'xxxxx');
    expect(cache.find('a', 50)).toBe('xxxxx');
    cache.keep('c', 1, 'x'.repeat(11));
    expect(cache.find('c', 1)).toBeUndefined();
  });
});
