import { describe, expect, it } from '@jest/globals';
import { normalizedCode, recoveryCodeOf } from './recovery-codes.rules.js';

describe('a recovery code', () => {
  it('has ten characters in two groups', () => {
    expect(recoveryCodeOf(Uint8Array.from([0, 1, 2, 3, 4, 28, 29, 30, 31, 255]))).toBe('01234-wxyzz');
  });

  it('is compared without case and separators', () => {
    expect(normalizedCode(' 01234 WXYZZ ')).toBe('01234wxyzz');
    expect(normalizedCode('01234-wxyzz')).toBe('01234wxyzz');
  });
});
