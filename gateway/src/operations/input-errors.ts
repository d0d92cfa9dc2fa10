import { type ErrorBody, type FieldError, placeAt, validationErrorOf, WHOLE_BODY } from '@swim/contracts';
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

function withReadOnly(endpoint: Endpoint, error: FieldError): FieldError {
  const { output } = endpoint.operation;
  const isField = output instanceof z.ZodObject && Object.hasOwn(output.shape, error.field);
  if (error.reason !== 'unknown_field' || !isField) return error;
  const actions = actionsOn(endpoint, error.field);
  const remedy = actions.length > 0 ? `; use ${actions.join(' or ')}.` : '. Remove it.';
  return { ...error, message: `${error.field} is read-only${remedy}` };
}

/** The error of a patch. Of fields that the object has, but that a patch cannot change, it says how they change. */
function patchError(endpoint: Endpoint, error: z.ZodError): ErrorBody {
  const issues = new z.ZodError(error.issues.map(withoutChanges));
  const body = validationErrorOf(issues, inputShapeOf(endpoint.operation).changes);
  const errors = body.details.errors!.map((each) => withReadOnly(endpoint, each));
  return { ...body, message: errors[0]!.message, details: { ...body.details, errors } };
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
  return AppError.fromBody(isPatch ? patchError(endpoint, error) : validationErrorOf(error, operation.input, ofPath));
}
