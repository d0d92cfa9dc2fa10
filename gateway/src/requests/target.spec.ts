import { describe, expect, it } from '@jest/globals';
import { readTarget } from './target.js';

describe('a request target', () => {
  it('is split at its first question mark', () => {
    expect(readTarget('/v1/x')).toEqual({ path: '/v1/x', query: '' });
    expect(readTarget('/v1/x?a=1?b')).toEqual({ path: '/v1/x', query: 'a=1?b' });
    expect(readTarget('/v1/x?')).toEqual({ path: '/v1/x', query: '' });
  });

  it('may be absolute, as a proxy is sent it', () => {
    expect(readTarget('http://api.test:80/v1/x?a=1')).toEqual({ path: '/v1/x', query: 'a=1' });
    expect(readTarget('http://api.test')).toEqual({ path: '/', query: '' });
    expect(readTarget('HTTP://api.test?a')).toEqual({ path: '/', query: 'a' });
  });

  it('never takes a second slash for an authority', () => {
    expect(readTarget('//evil.test/v1').path).toBe('//evil.test/v1');
    expect(readTarget('*').path).toBe('*');
  });
});
