import { describe, expect, it } from '@jest/globals';
import { type Operation, rpc } from '@swim/contracts';
import { z } from 'zod';
import { parsedInput, withoutUnchanged } from './operation-input.js';

const output = z.object({ id: z.string(), name: z.string(), version: z.int(), updated_at: z.string() });
const input = z.strictObject({ pool_id: z.string() });
const reads = rpc('people.getPool', { kind: 'read', callers: ['gateway'], input, output });
const changes = z.strictObject({ name: z.string(), version: z.int() }).partial();
const patch: Operation = rpc('people.updatePool', {
  kind: 'write',
  reads,
  callers: ['gateway'],
  input: z.strictObject({ pool_id: z.string(), changes }),
  output,
});
const current = { id: 'p', name: 'Baths', version: 3, updated_at: '2027-01-01T00:00:00.000Z' };
const parsed = (sent: object) => parsedInput(patch, { pool_id: 'p', changes: sent }, 0);
const rejectedAs = (...errors: [field: string, reason: string][]) =>
  expect.objectContaining({
    details: expect.objectContaining({
      field: errors[0]![0],
      errors: errors.map(([field, reason]) => expect.objectContaining({ field, reason })),
    }),
  });

describe('fields of a patch that are as the object has them', () => {
  it('are left out, updated_at whatever it is; version stays beside other changes', () => {
    expect(withoutUnchanged({ ...current, updated_at: 'x' }, current)).toBeNull();
    expect(withoutUnchanged({ ...current, name: 'Pool' }, current)).toEqual({ version: 3, name: 'Pool' });
    expect(withoutUnchanged({ id: 'p', version: 2 }, current)).toEqual({ version: 2 });
    expect(withoutUnchanged({ version: 3 }, current)).toBeNull();
  });

  it('are none where nothing is as it was, nor in what is no object', () => {
    for (const sent of [{}, { name: 'Pool' }, { toString: 1 }, [], 'x', null])
      expect(withoutUnchanged(sent, current)).toBe(sent);
  });
});

describe('the input of a patch', () => {
  it('is rejected by the names of its own fields, those that only the object has as read_only', () => {
    expect(() => parsed({ id: 'q', name: 1 })).toThrow(rejectedAs(['name', 'invalid_type'], ['id', 'read_only']));
    expect(() => parsed({ colour: 1, updated_at: 1 })).toThrow(
      rejectedAs(['colour', 'unknown_field'], ['updated_at', 'read_only']),
    );
  });

  it('names the first wrong field alone where the input is large', () => {
    const many = { pool_id: 'p', changes: { name: 1, version: 'x' } };
    expect(() => parsedInput(patch, many, 1_000_000)).toThrow(rejectedAs(['name', 'invalid_type']));
  });
});
