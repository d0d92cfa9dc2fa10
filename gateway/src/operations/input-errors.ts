import { type FieldError, placeAt, validationErrorOf, WHOLE_BODY } from '@swim/contracts';
import { AppError } from '@swim/platform';
import { z } from 'zod';
import { type Endpoint, inputShapeOf } from '../router.js';
import { ROUTES } from '../routes.js';

// `changes` is not part of the public API: there the body is the patch.
const withoutChanges = (issue: z.core.$ZodIssue): z.core.$ZodIssue =>
  issue.path[0] === 'changes' ? { ...issue, path: issue.path.slice(1) } : issue;

/** Public name of a field of a patch: without the `changes` with which a service may prefix it. */
export const bodyField = (name: string): string => name.replace(/^changes(?:\.|$)/, '') || WHOLE_BODY;

/** The requests that change a field which a patch of its object cannot change: `POST …/cancel` for a status. */
function actionsOn({ path, operation }: Endpoint, field: string): string[] {
  const below = ROUTES.filter((route) => route.method === 'POST' && route.path.startsWith(`${path}/`));
  const named = below.filter((route) => route.path === `${path}/${field}`);
  const changing = field === 'status' ? below.filter((route) => route.operation.output === operation.output) : [];
  return (named.length > 0 ? named : changing).map((route) => `POST ${route.path}`);
}

/** Whether the service has to compare the input with the object, which may have a rejected field just as it was sent. */
export function mayBeUnchanged({ operation: { reads } }: Endpoint, { issues }: z.ZodError): boolean {
  if (!(reads?.output instanceof z.ZodObject)) return false;
  const { shape } = reads.output;
  const namesOf = ({ path, ...issue }: z.core.$ZodIssue) =>
    issue.code === 'unrecognized_keys' && path.length === 1 ? issue.keys : [String(path[1])];
  return issues.some((issue) => namesOf(issue).some((name) => Object.hasOwn(shape, name)));
}

/** An entry of a field that no patch changes, which says what does. */
export function withActions(endpoint: Endpoint, error: FieldError): FieldError {
  const actions = error.reason === 'read_only' ? actionsOn(endpoint, error.field) : [];
  if (actions.length === 0) return error;
  return { ...error, message: `${error.field} is read-only; use ${actions.join(' or ')}.` };
}

/** No object has an id that the schema of its identifiers rejects. */
function unknownId({ operation }: Endpoint, param: string): AppError {
  const { expected } = placeAt(operation.input, [param]).constraint;
  return new AppError(
    'resource_not_found',
    expected ? { message: `No object has this id: ${param} must be ${expected}.` } : {},
  );
}

/**
 * The error of an input that its contract rejects: that of `validationErrorOf`, or `resource_not_found` where a parameter of the
 * path is wrong.
 */
export function inputError(endpoint: Endpoint, error: z.ZodError): AppError {
  const params = error.issues.map((issue) => String(issue.path[0]));
  const wrong = params.find((name) => endpoint.inputParams.has(name));
  if (wrong !== undefined) return unknownId(endpoint, wrong);
  const { operation, isPatch, params: ofPath } = endpoint;
  const body = isPatch
    ? validationErrorOf(new z.ZodError(error.issues.map(withoutChanges)), inputShapeOf(operation).changes)
    : validationErrorOf(error, operation.input, ofPath);
  return AppError.fromBody(body);
}
