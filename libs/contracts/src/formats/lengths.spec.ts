import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import * as contracts from '../index.js';

interface Check {
  readonly check: string;
  readonly abort?: boolean;
}
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
  readonly [part: string]: unknown;
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as unknown as Definition;
const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** All schemas of an input, each with its path. */
function schemasIn(schema: z.core.$ZodType, path: string): [path: string, definition: Definition][] {
  const definition = definitionOf(schema);
  const parts = [
    ...Object.entries(definition.shape ?? {}),
    ...Object.entries(definition).filter(([, part]) => isSchema(part)),
    ...(definition.options ?? []).map((option, index): [string, z.core.$ZodType] => [String(index), option]),
  ] as [string, z.core.$ZodType][];
  return [[path, definition], ...parts.flatMap(([name, part]) => schemasIn(part, `${path}.${name}`))];
}

const isOperation = (value: unknown): value is contracts.Operation =>
  typeof value === 'object' && value !== null && 'subject' in value && 'input' in value;
const operations = Object.values<unknown>(contracts).filter(isOperation);

describe('a length', () => {
  it.each(operations)(
    'in the input of $name is checked first, and ends the checks of a value that exceeds it',
    ({ name, input }) => {
      const wrong = schemasIn(input, name).filter(([, { type, checks = [] }]) => {
        if (type !== 'string' && type !== 'array') return false;
        const all = checks.map(({ _zod }) => _zod.def);
        // Conditions in code take time that grows with the value; the patterns of formats stop at the first wrong character.
        const code = all.findIndex(({ check }) => check === 'custom');
        const bound = all.findIndex(
          ({ check, abort }) => (check === 'max_length' || check === 'string_format') && abort,
        );
        return code >= 0 && (bound < 0 || bound > code);
      });
      expect(wrong.map(([path]) => path)).toEqual([]);
    },
  );
});
