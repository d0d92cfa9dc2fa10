import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../context/ids.js';
import { formatApiKey, hashKeyDigest, parseApiKey, sameHash } from './api-key.js';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz_ABCXYZ-+/=.é';
const environment = fc.constantFrom('live' as const, 'test' as const);
const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('an API key', () => {
  it('contains its environment and id, and has a different digest for all random bits', () => {
    fc.assert(
      fc.property(environment, secretBytes, secretBytes, (env, bytes, others) => {
        const keyId = newId('key');
        const key = parseApiKey(formatApiKey(env, keyId, bytes))!;
        expect([key.env, key.keyId]).toEqual([env, keyId]);
        const other = parseApiKey(formatApiKey(env, keyId, others))!;
        expect(key.digest === other.digest).toBe(bytes.equals(others));
      }),
    );
  });

  it('is parsed into the digest of its secret: the secret itself is not passed on', () => {
    const text = formatApiKey('live', newId('key'));
    const secret = text.slice('swl_live_'.length + 26, -7);
    const key = parseApiKey(text)!;
    expect(key.digest).toBe(createHash('sha256').update(secret).digest('base64url'));
    expect(JSON.stringify(key)).not.toContain(secret);
  });

  it('carries the prefix of the product and its environment', () => {
    expect(formatApiKey('live', newId('key'))).toMatch(/^swl_live_[0-9a-z]{85}$/);
    expect(formatApiKey('test', newId('key'))).toMatch(/^swl_test_[0-9a-z]{85}$/);
  });

  it('is different each time', () => {
    const keyId = newId('key');
    expect(formatApiKey('test', keyId)).not.toBe(formatApiKey('test', keyId));
  });

  it('is rejected when any single character differs', () => {
    const text = formatApiKey('test', newId('key'));
    for (let place = 0; place < text.length; place++) {
      for (const character of ALPHABET) {
        if (character === text[place]) continue;
        expect(parseApiKey(text.slice(0, place) + character + text.slice(place + 1))).toBeNull();
      }
    }
  });

  it('is rejected when truncated, extended or with adjacent characters swapped', () => {
    const text = formatApiKey('live', newId('key'));
    for (let place = 0; place < text.length; place++) {
      expect(parseApiKey(text.slice(0, place) + text.slice(place + 1))).toBeNull();
      expect(parseApiKey(`${text.slice(0, place)}0${text.slice(place)}`)).toBeNull();
      const swapped =
        text.slice(0, place) +
        text
          .slice(place, place + 2)
          .split('')
          .reverse()
          .join('') +
        text.slice(place + 2);
      if (swapped !== text) expect(parseApiKey(swapped)).toBeNull();
    }
    for (const odd of [` ${text}`, `${text} `, `${text}\n`, text.toUpperCase(), `Bearer ${text}`]) {
      expect(parseApiKey(odd)).toBeNull();
    }
  });

  it('of the other environment is rejected, since its checksum covers that too', () => {
    expect(parseApiKey(formatApiKey('test', newId('key')).replace('swl_test_', 'swl_live_'))).toBeNull();
  });

  it('is never parsed from junk, which does not throw either', () => {
    const likeOne = fc.stringMatching(/^swl_(live|test)_[0-9a-hjkmnp-tv-z]{85}$/);
    fc.assert(fc.property(fc.oneof(fc.string(), likeOne), (text) => expect(parseApiKey(text)).toBeNull()));
  });

  it('around an invalid id is rejected, though its checksum is right', () => {
    const suffix = newId('key').slice('key_'.length);
    expect(parseApiKey(formatApiKey('test', `key_${suffix}`))).not.toBeNull();
    expect(parseApiKey(formatApiKey('test', `key_z${suffix.slice(1)}`))).toBeNull();
    expect(parseApiKey(formatApiKey('test', `key_${'0'.repeat(26)}`))).toBeNull();
  });
});

describe('the hash of a digest', () => {
  const pepper = randomBytes(32);

  it('is equal under the same pepper only', () => {
    expect(sameHash(hashKeyDigest('s', pepper), hashKeyDigest('s', pepper))).toBe(true);
    expect(sameHash(hashKeyDigest('s', pepper), hashKeyDigest('t', pepper))).toBe(false);
    expect(sameHash(hashKeyDigest('s', pepper), hashKeyDigest('s', randomBytes(32)))).toBe(false);
  });

  it('of another length differs, without throwing', () => {
    expect(sameHash(Buffer.alloc(0), hashKeyDigest('s', pepper))).toBe(false);
    expect(sameHash(hashKeyDigest('s', pepper).subarray(1), hashKeyDigest('s', pepper))).toBe(false);
  });
});
