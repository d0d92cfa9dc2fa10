import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { type FieldError } from '../errors/error-body.js';
import { REASONS } from '../errors/errors.js';
import * as contracts from '../index.js';
import { validationErrorOf } from '../validation/validation-error.js';
import type { Operation } from './operation.js';

/** The reason with which a schema rejects a field of an input; undefined when it does not. */
function reasonOf(schema: z.ZodType, input: object, field: string): string | undefined {
  const { error } = schema.safeParse(input, { reportInput: true });
  return error && validationErrorOf(error, schema).details.errors!.find((each) => each.field === field)?.reason;
}

const isOperation = (thing: unknown): thing is Operation =>
  typeof thing === 'object' && thing !== null && 'subject' in thing;
const operations = Object.values<unknown>(contracts).filter(isOperation);

/** Whether a message names its field, and says what is right rather than only what is wrong. */
const isClear = ({ field, reason, message }: FieldError): boolean =>
  reason in REASONS &&
  // An empty change has no field to name.
  (message.startsWith(field) || reason === 'empty_patch') &&
  !/This (?:field|value) (?:is too|has the wrong|is not one|does not have)/.test(message);

describe('every operation', () => {
  it('is included in these tests', () => {
    expect(operations.length).toBeGreaterThan(20);
  });

  it('has a unique subject of its service and name', () => {
    expect(new Set(operations.map(({ subject }) => subject)).size).toBe(operations.length);
    for (const { name, service, subject } of operations) {
      expect(subject).toBe(`rpc.${name}`);
      expect(name.startsWith(`${service}.`)).toBe(true);
    }
  });

  it('has known reasons only', () => {
    for (const { name, errors } of operations)
      expect([name, errors.filter((reason) => !(reason in REASONS))]).toEqual([name, []]);
  });

  it('rejects an unknown field', () => {
    for (const { name, input } of operations)
      expect([name, reasonOf(input, { surely_not_known: 1 }, 'surely_not_known')]).toEqual([name, 'unknown_field']);
  });

  it('of a PATCH rejects an empty one', () => {
    const changing = operations.filter(({ input }) => 'shape' in input && 'changes' in (input.shape as object));
    expect(changing.length).toBeGreaterThan(2);
    for (const { name, input } of changing)
      expect([name, reasonOf(input, { changes: {} }, 'changes')]).toEqual([name, 'empty_patch']);
  });

  it('names the wrong type of a field alone, even if the value has a length', () => {
    const list = operations.find(({ name }) => name === 'people.listOwnReviews')!;
    const parsed = list.input.safeParse(
      { account_id: 'acct_01kdvdna00e48s248h248h248h', cursor: { length: ':' } },
      { reportInput: true },
    );
    const { errors } = validationErrorOf(parsed.error!, list.input).details;
    expect(errors).toMatchObject([{ field: 'cursor', reason: 'invalid_type' }]);
    expect(errors).toHaveLength(1);
  });

  it('of an object without a text is one of its type, in every field', () => {
    for (const { name, input } of operations) {
      const fields = 'shape' in input ? Object.keys(input.shape as object) : [];
      for (const field of fields) {
        const parsed = input.safeParse({ [field]: { toString: null } }, { reportInput: true });
        if (parsed.success) continue;
        const { errors } = validationErrorOf(parsed.error, input).details;
        expect([name, errors!.length > 0]).toEqual([name, true]);
      }
    }
  });

  it('of any rejected value names each field, and says what it has to be', () => {
    for (const { name, input } of operations) {
      const known = 'shape' in input ? Object.keys(input.shape as object) : [];
      const junk = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...known, 'x'), fc.jsonValue()));
      fc.assert(
        fc.property(junk, (given) => {
          const parsed = input.safeParse(given, { reportInput: true });
          if (parsed.success) return;
          const { message, details } = validationErrorOf(parsed.error, input);
          const odd = details.errors!.filter((each) => !isClear(each));
          expect([name, odd]).toEqual([name, []]);
          expect(message).toBe(details.errors![0]!.message);
        }),
        { numRuns: 20 },
      );
    }
  });
});
