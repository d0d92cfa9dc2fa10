import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cipher } from './cipher.js';

const cipher = new Cipher(randomBytes(32));
const IV_AND_TAG_BYTES = 28;

describe('a ciphertext', () => {
  it('decrypts to its plaintext, in the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(cipher.open(cipher.seal(plain, context), context).toString()).toBe(plain);
      }),
    );
    const bytes = randomBytes(1_000);
    expect(cipher.open(cipher.seal(bytes, 'x'), 'x')).toEqual(bytes);
  });

  it('does not reveal its plaintext, and differs each time', () => {
    const [one, other] = [cipher.seal('asthma', 'x'), cipher.seal('asthma', 'x')];
    expect(one.includes('asthma')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('does not decrypt when any bit differs', () => {
    const sealed = cipher.seal('asthma', 'x');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => cipher.open(changed, 'x')).toThrow();
    }
  });

  it('does not decrypt when truncated or extended', () => {
    const sealed = cipher.seal('asthma', 'x');
    for (let length = 0; length < sealed.length; length++)
      expect(() => cipher.open(sealed.subarray(0, length), 'x')).toThrow();
    expect(() => cipher.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'x')).toThrow();
  });

  it('does not decrypt with a truncated tag, which would be easier to guess', () => {
    const sealed = cipher.seal('', 'x');
    for (let length = 0; length < IV_AND_TAG_BYTES; length++)
      expect(() => cipher.open(sealed.subarray(0, length), 'x')).toThrow();
    expect(cipher.open(sealed, 'x').length).toBe(0);
  });

  it('does not decrypt in another context', () => {
    const sealed = cipher.seal('asthma', 'acct_1:mem_1:medical_notes');
    for (const context of ['acct_2:mem_1:medical_notes', 'acct_1:mem_2:medical_notes', 'acct_1:mem_1:name', '']) {
      expect(() => cipher.open(sealed, context)).toThrow();
    }
  });

  it('does not decrypt with another key', () => {
    expect(() => new Cipher(randomBytes(32)).open(cipher.seal('asthma', 'x'), 'x')).toThrow();
  });
});

describe('a derived key', () => {
  const master = randomBytes(32);

  it('is equal for the same purpose', () => {
    const sealed = Cipher.derived(master, 'a').seal('asthma', 'x');
    expect(Cipher.derived(master, 'a').open(sealed, 'x').toString()).toBe('asthma');
  });

  it('decrypts nothing of another purpose, of another master key, or of the master key itself', () => {
    const sealed = Cipher.derived(master, 'a').seal('asthma', 'x');
    for (const other of [Cipher.derived(master, 'b'), Cipher.derived(randomBytes(32), 'a'), new Cipher(master)]) {
      expect(() => other.open(sealed, 'x')).toThrow();
    }
  });
});
