import { describe, expect, it } from '@jest/globals';
import type { Reason } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { allEnded } from '../../src/people/imports/all-ended.js';
import { firstOf } from '../../src/people/imports/import.mapper.js';
import { Outcomes } from '../../src/people/imports/outcomes.js';

describe('an error of a row', () => {
  const REPEATED: Reason[] = ['internal', 'unavailable', 'deadline_exceeded', 'change_in_progress'];
  it.each(REPEATED)('has its part repeated where it passes by itself: %s', (reason) => {
    const error = new AppError(reason);
    expect(() => new Outcomes().failBy(0, error)).toThrow(error);
  });

  const FINAL: Reason[] = ['resource_not_found', 'foreign_account', 'account_closing', 'connection_ended'];
  it.each(FINAL)('fails the row where it would come again: %s', (reason) => {
    const outcomes = new Outcomes();
    outcomes.failBy(3, new AppError(reason), 'family');
    expect(outcomes.counts).toMatchObject({ failed: 1, errors: [{ row: 3, field: 'family', reason }] });
  });
});

it('the first errors have at most so many bytes together', () => {
  const errors = Array.from({ length: 10_000 }, (_, row) => ({ row, field: 'é"'.repeat(50), reason: 'unknown_field' }));
  const first = firstOf(errors, 750_000);
  expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(750_001);
  expect(firstOf(errors, 10_000_000)).toEqual(errors);
});

it('work that fails ends with the rest of it', async () => {
  const { promise: slow, resolve } = Promise.withResolvers<void>();
  let isEnded = false;
  const error = new Error('failed');
  const all = allEnded([Promise.reject(error), slow]).catch((thrown: unknown) => {
    isEnded = true;
    return thrown;
  });
  await new Promise(setImmediate);
  expect(isEnded).toBe(false);
  resolve();
  expect(await all).toBe(error);
});
