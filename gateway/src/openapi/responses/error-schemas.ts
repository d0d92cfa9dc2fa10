import { type Bounds, detailsShapeOf, ERROR_CODES, type ErrorCode, REASONS, type Reason } from '@swim/contracts';
import { z } from 'zod';
import { convert, type JsonSchema, pascal, refTo } from '../schemas.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });

const number = (description: string): JsonSchema => ({ type: 'number', description });
const count = (description: string): JsonSchema => ({ type: 'integer', description });

/** The bounds of a valid value, on an error of a field. */
const BOUNDS: Record<keyof Bounds, JsonSchema> = {
  minimum: number('Smallest number that is allowed'),
  maximum: number('Largest number that is allowed'),
  exclusive_minimum: number('The number that the value has to exceed'),
  min_length: count('Fewest characters that are allowed'),
  max_length: count('Most characters that are allowed'),
  min_items: count('Fewest items or keys that are allowed'),
  max_items: count('Most items or keys that are allowed'),
  allowed: {
    type: 'array',
    items: { type: ['string', 'number', 'boolean'] },
    description: 'Every value that is allowed',
  },
  expected: text('What the value has to be, in English'),
};

const FIELD_ERROR: JsonSchema = {
  type: 'object',
  description:
    'A field at fault. One at least of the members beside `field`, `reason` and `message` says what would be right.',
  properties: {
    field: text('Name of the field, dotted: `sessions.0.date`; `body` for the body as a whole'),
    reason: text('Stable; see the list of reasons'),
    message: text('What would be right, and what was sent, in English'),
    ...BOUNDS,
  },
  required: ['field', 'reason', 'message'],
};

/** `Conflict` for `CONFLICT`. */
const stemOf = (code: ErrorCode): string => pascal(code.replace(/_ERROR$/, '').toLowerCase());

/** `ConflictError` for `CONFLICT`. A client for Python that had a `ValidationError` could not catch that of pydantic. */
const nameOf = (code: ErrorCode): string =>
  code === 'VALIDATION_ERROR' ? 'InvalidRequestError' : `${stemOf(code)}Error`;

/** The schema of any error: one for each code. */
export const oneOfErrors = (): JsonSchema => ({
  oneOf: ERROR_CODES.map((code) => refTo(nameOf(code))),
  discriminator: {
    propertyName: 'code',
    mapping: Object.fromEntries(ERROR_CODES.map((code) => [code, refTo(nameOf(code)).$ref])),
  },
});

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
      reason: { type: 'string', ...(reasons.length === 1 ? { const: reasons[0] } : { enum: reasons }) },
      field: text('Name of the field or parameter at fault, dotted'),
      doc_url: {
        ...text('Where the documentation explains the reason; relative to the URL of the request unless it has a host'),
        format: 'uri-reference',
      },
      ...(isInput
        ? {
            errors: {
              type: 'array',
              items: refTo('FieldError'),
              description: 'Every field at fault',
            },
            ...BOUNDS,
            now: { ...refTo('Timestamp'), description: 'The present instant, where one was too early or too late' },
          }
        : {}),
      ...properties,
    },
    required: ['reason', 'doc_url', ...(isInput ? ['field', 'errors'] : []), ...required],
  };
}

/** The alternatives of `details` by their names: one for the reasons without members of their own, and one for each other. */
function alternativesOf(code: ErrorCode, name: string): Record<string, JsonSchema> {
  const reasons = reasonsOf(code);
  const plain = reasons.filter((reason) => !hasOwn(reason));
  const own = reasons.filter(hasOwn);
  return {
    ...(plain.length > 0 ? { [own.length > 0 ? `Other${name}` : name]: detailsOf(code, plain, {}) } : {}),
    ...Object.fromEntries(
      own.map((reason) => [`${pascal(reason)}Details`, detailsOf(code, [reason], detailsShapeOf(reason))]),
    ),
  };
}

/** `details` of a code: one of these alternatives, as its `reason` says. */
function oneOfDetails(alternatives: Record<string, JsonSchema>): JsonSchema {
  const mapping = Object.entries(alternatives).flatMap(([name, { properties }]) => {
    const { const: only, enum: several = [only] } = properties!.reason as { const?: Reason; enum?: Reason[] };
    return several.map((reason) => [reason, refTo(name).$ref]);
  });
  return {
    description: 'Its members depend on its `reason`.',
    oneOf: Object.keys(alternatives).map(refTo),
    discriminator: { propertyName: 'reason', mapping: Object.fromEntries(mapping) },
  };
}

function schemasOf(code: ErrorCode): [string, JsonSchema][] {
  const details = `${stemOf(code)}Details`;
  const alternatives = alternativesOf(code, details);
  const error: JsonSchema = {
    type: 'object',
    properties: {
      code: { type: 'string', const: code },
      message: text('What is wrong and how to mend it, in English'),
      details: refTo(details),
    },
    required: ['code', 'message', 'details'],
  };
  return [
    [nameOf(code), error],
    ...(details in alternatives ? [] : [[details, oneOfDetails(alternatives)] as [string, JsonSchema]]),
    ...Object.entries(alternatives),
  ];
}

/** Schemas of the errors of each code, and of their `details` by reason. */
export const errorSchemas = (): Record<string, JsonSchema> => ({
  FieldError: FIELD_ERROR,
  ...Object.fromEntries(ERROR_CODES.flatMap(schemasOf)),
});
