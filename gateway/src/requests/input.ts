import { validationErrorOf } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { z } from 'zod';
import type { Endpoint } from '../router.js';

type Fields = Record<string, unknown>;

const unknownField = (field: string) =>
  new AppError('unknown_field', { field, message: `${field}: This field is unknown. Remove it.` });

/** The operation's input: the path's parameters beside the query or body, which may not repeat them. */
function inputOf({ params, inputParams, isPatch }: Endpoint, values: readonly string[], fields: Fields): Fields {
  if (params.length === 0) return fields;
  const input: Fields = isPatch ? { changes: fields } : { ...fields };
  params.forEach((name, index) => {
    if (!isPatch && Object.hasOwn(fields, name)) throw unknownField(name);
    if (inputParams.has(name)) input[name] = values[index];
  });
  return input;
}

// Clients know no `changes`: to them the body is the patch.
const withoutChanges = (issue: z.core.$ZodIssue): z.core.$ZodIssue =>
  issue.path[0] === 'changes' ? { ...issue, path: issue.path.slice(1) } : issue;

/** Name of a field of a patch as its client knows it, without the `changes` that a service may put before it. */
export const bodyField = (name: string): string => name.replace(/^changes(?:\.|$)/, '');

function rejectInput(endpoint: Endpoint, error: z.ZodError): never {
  // A path that can't be the name of anything names nothing.
  const isOfPath = error.issues.some((issue) => endpoint.inputParams.has(String(issue.path[0])));
  if (isOfPath) throw new AppError('resource_not_found');
  const issues = endpoint.isPatch ? error.issues.map(withoutChanges) : error.issues;
  throw AppError.fromBody(validationErrorOf(new z.ZodError(issues)));
}

/** From this many bytes on, only the first field that is wrong is named: naming tens of thousands takes too long. */
export const LARGE_BODY_BYTES = 16 * 1024;

/** zod's own, which its public type leaves out: stop at the first thing that is wrong. */
interface ParseContext extends z.core.ParseContext<z.core.$ZodIssue> {
  abortEarly: boolean;
}

/**
 * Puts an operation's input together and checks it against its contract. It is sent on as it came: the service reads it
 * with the same contract. Throws what `validationErrorOf` returns; `resource_not_found` where a part of the path is at fault.
 */
export function checkedInput(endpoint: Endpoint, values: readonly string[], fields: Fields, isLarge = false): Fields {
  const input = inputOf(endpoint, values, fields);
  const parsed = endpoint.operation.input.safeParse(input, {
    reportInput: true,
    abortEarly: isLarge,
  } as ParseContext);
  if (!parsed.success) rejectInput(endpoint, parsed.error);
  return input;
}

/** Takes `dry_run` off the query of a write, which knows no other parameter. Throws `unknown_field`, `invalid_value`. */
export function readDryRun(query: ReadonlyMap<string, string>): boolean {
  for (const name of query.keys()) if (name !== 'dry_run') throw unknownField(name);
  const value = query.get('dry_run');
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw new AppError('invalid_value', { field: 'dry_run' });
  return value === 'true';
}
