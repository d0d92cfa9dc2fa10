import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SignedTokens } from './signed-tokens.js';

const [key, other] = [randomBytes(32), randomBytes(32)];
const tokens = new SignedTokens('unsubscribe', { DATA_KEY: key });
const part = fc.stringMatching(/^[\w-]{1,80}$/);

describe('a signed token', () => {
  it('has the parts that were signed', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(tokens.read(tokens.sign(...parts))).toEqual(parts);
      }),
    );
  });

  it('is rejected when a character of it is another, or it is cut off', () => {
    const token = tokens.sign('test', 'acct_1', 'reminder');
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      // The last character of base64url has bits without meaning.
      if (at < token.length - 1) expect(tokens.read(changed)).toBeNull();
      expect(tokens.read(token.slice(0, at))).toBeNull();
    }
    for (const junk of ['', '.', '..', 'a.b', `x.${'A'.repeat(43)}`]) expect(tokens.read(junk)).toBeNull();
  });

  it('is rejected for another purpose and under another key', () => {
    const token = tokens.sign('a');
    expect(new SignedTokens('confirm', { DATA_KEY: key }).read(token)).toBeNull();
    expect(new SignedTokens('unsubscribe', { DATA_KEY: other }).read(token)).toBeNull();
  });

  it('stays valid when the key is rotated', () => {
    expect(
      new SignedTokens('unsubscribe', { DATA_KEY: other, DATA_KEYS_ALSO_READ: [key] }).read(tokens.sign('a')),
    ).toEqual(['a']);
  });

  it('is not made of parts with other characters', () => {
    for (const wrong of ['a.b', '', 'ä', 'a b', 'x'.repeat(81)]) expect(() => tokens.sign(wrong)).toThrow();
  });
});
