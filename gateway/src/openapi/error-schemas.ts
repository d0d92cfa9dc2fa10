import { detailsShapeOf, ERROR_CODES, type ErrorCode, REASONS, type Reason } from '@swim/contracts';
import { z } from 'zod';
import { convert, type JsonSchema } from './schemas.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });

const FIELD_ERROR: JsonSchema = {
  type: 'object',
  properties: {
    field: text('Name of the field, dotted: `sessions.0.date`'),
    reason: text('Stable; see the list of reasons'),
    message: text('What is wrong with it'),
  },
  required: ['field', 'reason'],
};

/** `ConflictError` for `CONFLICT`. */
const nameOf = (code: ErrorCode): string => {
  const words = code.replace(/_ERROR$/, '').split('_');
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('')}Error`;
};

/** Names of the schemas of errors, one for each code. */
export const ERROR_NAMES: readonly string[] = ERROR_CODES.map(nameOf);

const reasonsOf = (code: ErrorCode): Reason[] =>
  (Object.keys(REASONS) as Reason[]).filter((reason) => REASONS[reason].code === code);

const hasOwn = (reason: Reason): boolean => Object.keys(detailsShapeOf(reason)).length > 0;

/** `details` of these reasons, which have these members beside those that all have. */
function detailsOf(code: ErrorCode, reasons: readonly Reason[], shape: z.ZodRawShape): JsonSchema {
  const isInput = code === 'VALIDATION_ERROR';
  const { properties, required = [] } = convert(z.object(shape), true);
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', enum: reasons },
      field: text('Name of the field or parameter at fault, dotted'),
      ...(isInput
        ? {
            errors: {
              type: 'array',
              items: { $ref: '#/components/schemas/FieldError' },
              description: 'Every field at fault',
            },
          }
        : {}),
      ...properties,
    },
    required: ['reason', ...(isInput ? ['field'] : []), ...required],
  };
}

function alternativesOf(code: ErrorCode): JsonSchema[] {
  const reasons = reasonsOf(code);
  const plain = reasons.filter((reason) => !hasOwn(reason));
  const own = reasons.filter(hasOwn).map((reason) => detailsOf(code, [reason], detailsShapeOf(reason)));
  return plain.length === 0 ? own : [detailsOf(code, plain, {}), ...own];
}

function schemasOf(code: ErrorCode): [string, JsonSchema][] {
  const name = nameOf(code);
  const details = name.replace(/Error$/, 'Details');
  const error: JsonSchema = {
    type: 'object',
    properties: {
      code: { const: code },
      message: text('What is wrong and how to mend it, in English'),
      details: { $ref: `#/components/schemas/${details}` },
    },
    required: ['code', 'message', 'details'],
  };
  return [
    [name, error],
    [details, { description: 'Its members depend on its `reason`.', oneOf: alternativesOf(code) }],
  ];
}

/** Schemas of the errors of each code, and of their `details` by reason. */
export const errorSchemas = (): Record<string, JsonSchema> => ({
  FieldError: FIELD_ERROR,
  ...Object.fromEntries(ERROR_CODES.flatMap(schemasOf)),
});
