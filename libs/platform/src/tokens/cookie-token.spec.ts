import { describe, expect, it } from '@jest/globals';
import { newId } from '../context/ids.js';
import { newCookieToken, parseCookieToken } from './cookie-token.js';

describe('the value of a cookie', () => {
  it('is parsed into the id and the digest of its secret', () => {
    const id = newId('uss');
    const { token, digest } = newCookieToken(id);
    expect(parseCookieToken('uss', token)).toEqual({ id, digest });
    expect(token).not.toContain(digest);
  });

  it('is null for another form', () => {
    const { token } = newCookieToken(newId('uss'));
    for (const wrong of [
      '',
      token.slice(1),
      `${token}x`,
      token.replace('.', ''),
      `${'9'.repeat(26)}.${'a'.repeat(43)}`,
    ])
      expect([wrong, parseCookieToken('uss', wrong)]).toEqual([wrong, null]);
  });

  it('has another secret each time', () => {
    const id = newId('uss');
    expect(newCookieToken(id).token).not.toBe(newCookieToken(id).token);
  });
});
