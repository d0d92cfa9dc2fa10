import { type ErrorBody, grants, type Principal, SCOPES } from '@swim/contracts';
import { makeCall } from '@swim/messaging/client';
import { AppError, BUDGET_MS, Deadline } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { bodyField } from '../requests/input.js';
import { readTraceparent } from '../requests/trace-context.js';
import type { Endpoint } from '../router.js';
import { readRead, readWrite } from './ask.js';

/** Whether this key may ask this at all, before anything of the request is read. Throws `missing_scope`, `foreign_account`. */
function authorize(
  { scope, accountParam }: Endpoint,
  values: readonly string[],
  { scopes, accountId }: Principal,
): void {
  const missing = scope !== null && (scope === 'all' ? SCOPES : [scope]).find((wanted) => !grants(scopes, wanted));
  if (missing) {
    const lacks = `This API key lacks the scope ${missing}`;
    const message = scope === 'all' ? `${lacks}; this needs a key with all scopes.` : `${lacks}.`;
    throw new AppError('missing_scope', { message, details: { scope: missing } });
  }
  if (accountParam >= 0 && values[accountParam] !== accountId) throw new AppError('foreign_account');
}

/**
 * The refusal of a service in the client's terms: bad input always names a field, a conflict at least the parameter of the
 * path that names the object, and a patch has no `changes`.
 */
function publicError({ isPatch, params }: Endpoint, error: ErrorBody): ErrorBody {
  const fallback = error.code === 'CONFLICT' ? params.at(-1) : error.code === 'VALIDATION_ERROR' ? '' : undefined;
  const { field = fallback, errors } = error.details;
  if (field === undefined) return error;
  const rename = (name: string) => (isPatch ? bodyField(name) : name);
  return {
    ...error,
    details: {
      ...error.details,
      field: rename(field),
      ...(errors ? { errors: errors.map((each) => ({ ...each, field: rename(each.field) })) } : {}),
    },
  };
}

/** Asks the service that owns the operation, and answers with its bytes. Throws what the answer shall be instead. */
export async function answerOperation(
  exchange: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
): Promise<void> {
  const principal = exchange.principal!;
  authorize(endpoint, values, principal);
  const { operation } = endpoint;
  const { input, ...asked } =
    endpoint.method === 'GET' ? readRead(exchange, endpoint, values) : await readWrite(exchange, endpoint, values);
  exchange.isDryRun = asked.dryRun;
  const deadline = new Deadline(BUDGET_MS[operation.kind]);
  const traceparent = readTraceparent(exchange.request);
  const call = makeCall({ requestId: exchange.requestId, principal, deadline, traceparent, ...asked });
  const { answer, error } = await exchange.parts.calls.request(operation, JSON.stringify(input), call);
  const more = answer.replayed ? ['Idempotent-Replayed', 'true'] : [];
  if (error) exchange.refuse(publicError(endpoint, error), answer.retryAfterSeconds, more);
  else exchange.succeed(asked.dryRun ? 200 : endpoint.status, answer.body, answer.pagination, more);
}
