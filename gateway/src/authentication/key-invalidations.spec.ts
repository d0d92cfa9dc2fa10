import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@swim/platform';
import { KeyInvalidations } from './key-invalidations.js';

const [keyId, other] = [newId('key'), newId('key')];
let nowMs: number;
let invalidations: KeyInvalidations;
beforeEach(() => {
  nowMs = 5;
  invalidations = new KeyInvalidations(() => nowMs);
});

describe('an answer about a key', () => {
  it('is unsure until reading has begun, and current from then on', () => {
    const before = invalidations.moment;
    expect(invalidations.freshnessOf(keyId, before)).toBe('unsure');
    invalidations.begin();
    expect(invalidations.freshnessOf(keyId, before)).toBe('unsure');
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('current');
  });

  it('is superseded by invalidations that arrive after its request, and by no others', () => {
    invalidations.begin();
    const before = invalidations.moment;
    invalidations.invalidate({ keyId, revoked: false });
    expect(invalidations.freshnessOf(keyId, before)).toBe('superseded');
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('current');
    expect(invalidations.freshnessOf(other, before)).toBe('current');
  });

  it('is unsure after a second without a word, until the next word', () => {
    invalidations.begin();
    nowMs += 999;
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('current');
    nowMs += 1;
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('unsure');
    invalidations.alive();
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('current');
  });

  it('is unsure after a gap, until it is requested anew', () => {
    invalidations.begin();
    const before = invalidations.moment;
    invalidations.lose();
    invalidations.alive();
    expect(invalidations.freshnessOf(keyId, before)).toBe('unsure');
    invalidations.begin();
    expect(invalidations.freshnessOf(keyId, before)).toBe('unsure');
    expect(invalidations.freshnessOf(keyId, invalidations.moment)).toBe('current');
  });

  it('stays superseded while the gateway is cut off', () => {
    invalidations.begin();
    const before = invalidations.moment;
    invalidations.invalidate({ keyId, revoked: true });
    invalidations.lose();
    expect(invalidations.freshnessOf(keyId, before)).toBe('superseded');
  });
});

describe('a received invalidation', () => {
  it('is remembered for two minutes', () => {
    invalidations.begin();
    const before = invalidations.moment;
    invalidations.invalidate({ keyId, revoked: true });
    nowMs += 119_999;
    invalidations.invalidate({ keyId: other, revoked: false });
    expect([invalidations.isRevoked(keyId), invalidations.freshnessOf(keyId, before)]).toEqual([true, 'superseded']);
    nowMs += 1;
    invalidations.invalidate({ keyId: other, revoked: false });
    expect(invalidations.isRevoked(keyId)).toBe(false);
  });

  it('of a revoked key stays in force when others of the key follow', () => {
    invalidations.invalidate({ keyId, revoked: true });
    invalidations.invalidate({ keyId, revoked: false });
    expect(invalidations.isRevoked(keyId)).toBe(true);
    expect(invalidations.isRevoked(other)).toBe(false);
  });
});
