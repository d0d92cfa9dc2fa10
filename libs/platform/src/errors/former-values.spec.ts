import { expect, it } from '@jest/globals';
import { formerValues } from './former-values.js';

it('former values are those of the changed fields, without version and time of change', () => {
  const before = { id: 1, bio: 'a', levels: [1], version: 1, updated_at: 'x' };
  const after = { ...before, bio: 'b', levels: [1], version: 2, updated_at: 'y' };
  expect(formerValues(before, after)).toEqual({ bio: 'a' });
});
