import { isDeepStrictEqual } from 'node:util';
import { completed, type FieldError, type Operation, validationErrorOf } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { z } from 'zod';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Removes the fields that equal those of the object, so that a client can send back what it has read. Returns null when
 * no change is left, and `changes` itself when nothing was removed. `updated_at` is ignored. `version` is the
 * precondition of the other changes, and is kept with them.
 * @param current - the object as the operation's `reads` returns it.
 */
export function withoutUnchanged(changes: unknown, current: Fields): unknown {
  const isUnchanged = (name: string, value: unknown) =>
    Object.hasOwn(current, name) && (name === 'updated_at' || isDeepStrictEqual(value, current[name]));
  if (!isFields(changes) || !Object.entries(changes).some((field) => isUnchanged(...field))) return changes;
  const changed = Object.entries(changes).filter((field) => !isUnchanged(...field));
  if (changed.length === 0) return null;
  const precondition = Object.hasOwn(changes, 'version') ? { version: changes.version } : {};
  return { ...precondition, ...Object.fromEntries(changed) };
}

const readOnly = (field: string): FieldError =>
  completed({ field, reason: 'read_only', message: `${field} is read-only. Leave it out.` });

/** Returns the error for an invalid input. In a patch, a field that only the object has is `read_only`. */
function inputError(operation: Operation, error: z.ZodError): AppError {
  const { input, reads } = operation;
  if (!reads) return AppError.fromBody(validationErrorOf(error, input));
  const issues = error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  const { output } = reads as Operation<z.ZodObject, z.ZodObject>;
  const body = validationErrorOf(new z.ZodError(issues), (input as z.ZodObject).shape.changes);
  const errors = body.details.errors!.map((each) =>
    each.reason === 'unknown_field' && Object.hasOwn(output.shape, each.field) ? readOnly(each.field) : each,
  );
  const { field, reason, message } = errors[0]!;
  return AppError.fromBody({ ...body, message, details: { field, reason, errors } });
}

// Above this size only the first invalid field is reported: naming tens of thousands takes too long.
const LARGE_INPUT_BYTES = 16 * 1024;

/** Parses the input by its contract. `size` is its length in bytes. */
export function parsedInput(operation: Operation, input: unknown, size: number): unknown {
  // The public type of zod lacks these options.
  const options = { reportInput: true, abortEarly: size >= LARGE_INPUT_BYTES };
  const parsed = operation.input.safeParse(input, options);
  if (!parsed.success) throw inputError(operation, parsed.error);
  return parsed.data;
}
