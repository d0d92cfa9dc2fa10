import { type ErrorBody, type ErrorCode, grants, type Principal, type UsageLimits, WHOLE_BODY } from '@swim/contracts';
import {
  type Answer,
  AppError,
  BUDGET_MS,
  Deadline,
  makeRequestContext,
  missingScope,
  OVERLOADED,
  sharedClock,
  type Warning,
} from '@swim/platform';
import { GATEWAY_PRINCIPALS } from '../calls/gateway-principals.js';
import type { Reply } from '../calls/service-calls.js';
import type { Exchange } from '../exchange.js';
import type { Limits } from '../rate-limits/rate-limiter.js';
import type { Endpoint } from '../router.js';
import { actingPrincipal } from './acting.js';
import { prefersCsv, type Tabular, toCsv } from './csv.js';
import { bodyField, withActions } from './input-errors.js';
import { type OperationInput, readRead, readWrite } from './operation-input.js';

/** Checks scope and account of the key, before the request's input is read. Throws `missing_scope`, `foreign_account`. */
export function authorize(
  { scope, alsoNeeds, accountParam, isForInstructors }: Endpoint,
  values: readonly string[],
  { scopes, accountId, userId, instructorId }: Principal,
): void {
  if (instructorId !== undefined && isForInstructors) return;
  if (scope !== null && !grants(scopes, scope)) throw missingScope(scope, { userId });
  if (alsoNeeds !== undefined && !grants(scopes, alsoNeeds)) throw missingScope(alsoNeeds, { userId });
  if (accountParam >= 0 && values[accountParam] !== accountId) throw new AppError('foreign_account');
}

/** Throws `confirmation_required` where the cookie of a user is not sufficient. */
function requireConfirmation(
  { needsConfirmation: needed }: Endpoint,
  { userId, env, confirmedUntil = '' }: Principal,
  { changes = {} }: OperationInput['input'],
): void {
  if (!needed || userId === undefined || env === 'test') return;
  if (needed !== true && !needed.some((name) => Object.hasOwn(changes as object, name))) return;
  if (!(Date.parse(confirmedUntil) > sharedClock.nowMs())) throw new AppError('confirmation_required');
}

/** Codes whose errors always name a field. */
const FALLBACK_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['CONFLICT', 'VALIDATION_ERROR']);

/**
 * The error of a service in the terms of the public API: bad input always has a field, a conflict has at least the
 * parameter of the path, or else the body, and the fields of a patch have no `changes`.
 */
function publicError(endpoint: Endpoint, error: ErrorBody): ErrorBody {
  const { isPatch, params } = endpoint;
  const fallback = FALLBACK_CODES.has(error.code)
    ? (error.code === 'CONFLICT' && params.at(-1)) || WHOLE_BODY
    : undefined;
  const { field = fallback, errors } = error.details;
  if (field === undefined) return error;
  const rename = (name: string) => (isPatch ? bodyField(name) : name);
  const named = errors?.map((each) => withActions(endpoint, { ...each, field: rename(each.field) }));
  const message = named?.[0]?.reason === 'read_only' ? named[0].message : error.message;
  return { ...error, message, details: { ...error.details, field: rename(field), ...(named && { errors: named }) } };
}

/**
 * Sends checked input to the service of the operation, once its user has confirmed what a cookie alone may not do. An error of the service is returned in the terms of the public API; one
 * of the bus is thrown.
 */
export async function requestOperation(
  exchange: Exchange,
  endpoint: Endpoint,
  { input, ...requested }: OperationInput,
  principal: Principal = exchange.principal ?? GATEWAY_PRINCIPALS.live,
): Promise<Reply> {
  const { operation } = endpoint;
  requireConfirmation(endpoint, principal, input);
  exchange.isDryRun = requested.dryRun;
  const deadline = new Deadline(BUDGET_MS[operation.kind]);
  const context = makeRequestContext({
    requestId: exchange.requestId,
    principal,
    deadline,
    network: exchange.network,
    traceparent: exchange.traceparent,
    ...requested,
  });
  const { answer, error } = await exchange.dependencies.calls.request(operation, JSON.stringify(input), context);
  if (answer.warnings) exchange.notes.push(...(JSON.parse(answer.warnings) as Warning[]));
  if (error) return { answer, error: publicError(endpoint, error) };
  return { answer: endpoint.hasLimits ? withLimits(answer, exchange.dependencies.limiter.limits) : answer, error };
}

/** The answer with `limits` as the first member of its object. */
function withLimits(answer: Answer, { perHour: per_hour, perMinute: per_minute }: Limits): Answer {
  const limits: UsageLimits = { per_hour, per_minute };
  const [opening, rest] = [`{"limits":${JSON.stringify(limits)},`, answer.body.subarray(1)];
  return { ...answer, body: Buffer.concat([Buffer.from(opening), rest]) };
}

/** Sends the request to the service of the operation, and answers with its bytes. Throws the error to answer otherwise. */
export async function answerOperation(
  exchange: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
): Promise<void> {
  const principal = await actingPrincipal(exchange, endpoint, values, exchange.principal!);
  authorize(endpoint, values, principal);
  // Before the body is read: reading and checking it costs more than the rejection.
  if (exchange.dependencies.calls.isFull(endpoint.operation)) throw OVERLOADED;
  const read = endpoint.method === 'GET' ? readRead : readWrite;
  const input = await read(exchange, endpoint, values);
  const { answer, error } = await requestOperation(exchange, endpoint, input, principal);
  // An answer that the gateway's own repetition has found is the first that this client gets.
  const more = answer.replayed && input.idempotencyKey !== null ? ['Idempotent-Replayed', 'true'] : [];
  if (error) exchange.reject(error, answer.retryAfterSeconds, more);
  else if (endpoint.hasCsv) serveTabular(exchange, answer.body);
  else exchange.succeed(statusOf(endpoint, exchange), answer.body, answer.pagination, more);
}

function serveTabular(exchange: Exchange, data: Uint8Array): void {
  const vary = ['Vary', 'Accept'];
  if (prefersCsv(exchange.request.headers.accept)) {
    const csv = toCsv(JSON.parse(Buffer.from(data).toString()) as Tabular);
    exchange.serve('text/csv; charset=utf-8', Buffer.from(csv), 'no-store', vary);
  } else exchange.succeed(200, data, null, vary);
}

function statusOf({ status, testStatus }: Endpoint, { isDryRun, principal }: Exchange): number {
  if (isDryRun) return 200;
  return testStatus && principal!.env === 'test' ? testStatus : status;
}
