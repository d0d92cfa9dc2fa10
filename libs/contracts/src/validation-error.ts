import type { z } from 'zod';
import { type ErrorBody, type FieldError, REASONS, type Reason } from './errors.js';

type Issue = z.core.$ZodIssue;

const isReason = (text: string): text is Reason => text in REASONS;

const BOUNDS: Record<string, [string, string]> = {
  string: ['too_short', 'too_long'],
  array: ['too_short', 'too_long'],
};

/** Reason of an issue: its message if that is a reason, otherwise derived from its code. */
export function reasonOf(issue: Issue): string {
  if (isReason(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'required' : 'invalid_type';
  if (issue.code === 'too_small') return (BOUNDS[issue.origin] ?? ['too_small'])[0]!;
  if (issue.code === 'too_big') return (BOUNDS[issue.origin] ?? ['', 'too_large'])[1]!;
  if (issue.code === 'unrecognized_keys') return 'unknown_field';
  if (issue.code === 'invalid_format') return 'invalid_format';
  return issue.input === undefined ? 'required' : 'invalid_value';
}

/** Maximum number of fields in one error. */
const MAX_ERRORS = 20;

function fieldErrors(issue: Issue): FieldError[] {
  const reason = reasonOf(issue);
  const path = issue.path.map(String);
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, MAX_ERRORS) : [];
  const paths = keys.length > 0 ? keys.map((key) => [...path, key]) : [path];
  return paths.map((parts) => ({ field: parts.join('.'), reason, message: messageOf(reason) }));
}

const messageOf = (reason: string): string => (isReason(reason) ? REASONS[reason].message : 'This value is not valid.');

/**
 * Converts zod's issues to the public `VALIDATION_ERROR`. Parse with `{ reportInput: true }`, so that an absent field is
 * distinguished from a wrong one.
 */
export function validationErrorOf(error: z.ZodError): ErrorBody {
  const errors = error.issues.slice(0, MAX_ERRORS).flatMap(fieldErrors).slice(0, MAX_ERRORS);
  const first = errors[0]!;
  return {
    code: 'VALIDATION_ERROR',
    message: first.field ? `${first.field}: ${first.message}` : first.message!,
    details: { field: first.field, reason: first.reason, errors },
  };
}
