import type { ErrorBody, Principal } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import type { Exchange } from '../exchange.js';
import { successEnvelope, withDocUrl } from '../http/envelope.js';
import { actingPrincipal } from '../operations/acting.js';
import { authorize, requestOperation } from '../operations/operation-answer.js';
import {
  checkedIdempotencyKey,
  checkedInput,
  fingerprintOf,
  ignoredKey,
  type OperationInput,
  queryFields,
} from '../operations/operation-input.js';
import { readQuery } from '../requests/request-target.js';
import type { Tool } from './tools.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The result of a call, as the protocol has it. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

const decoder = new TextDecoder();
const text = (value: string) => ({ type: 'text' as const, text: value });

/** Values of the path's parameters; the account is by default that of the key. */
const pathValues = ({ endpoint: { params } }: Tool, given: Arguments, { accountId }: Principal): string[] =>
  params.map((name) => String(given[name] ?? (name === 'account_id' ? accountId : '')));

function without(given: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

/** Arguments as the text of a query: lists comma-separated, objects spelled out. Assistants send null for what they leave out. */
function queryOf(fields: Arguments, prefix = ''): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const pairs = given.map(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}[${name}]`;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject
      ? queryOf(value as Arguments, path)
      : `${encodeURIComponent(path)}=${encodeURIComponent(String(value))}`;
  });
  return pairs.join('&');
}

function readInput({ endpoint }: Tool, values: readonly string[], given: Arguments, bodyBytes: number): OperationInput {
  const query = readQuery(queryOf(without(given, endpoint.params)));
  return {
    input: checkedInput(endpoint, values, queryFields(query), bodyBytes),
    dryRun: false,
    idempotencyKey: null,
    writeKey: null,
    fingerprint: null,
  };
}

/** The input and the fingerprint that a request by HTTP with these values would have. */
function writeInput(
  { endpoint, isConfirmed }: Tool,
  values: readonly string[],
  given: Arguments,
  bodyBytes: number,
): OperationInput {
  const { dry_run: dryRun = false, confirm } = given;
  if (typeof dryRun !== 'boolean') throw notBoolean('dry_run');
  const hasBody = endpoint.method !== 'DELETE';
  const options = ['dry_run', 'idempotency_key', ...(isConfirmed ? ['confirm'] : [])];
  const body = without(given, [...endpoint.params, ...options]);
  const input = checkedInput(endpoint, values, body, bodyBytes);
  if (isConfirmed && !dryRun && confirm !== true) throw unconfirmed();
  const idempotencyKey = hasBody ? checkedIdempotencyKey(given.idempotency_key, 'idempotency_key') : null;
  const fingerprint = idempotencyKey === null ? null : fingerprintOf(endpoint, values, body);
  return { input, dryRun, idempotencyKey, writeKey: idempotencyKey ?? newId('req'), fingerprint };
}

/** Warns of a key that has no effect, as the same request by HTTP does. */
function noteIgnored(endpoint: Tool['endpoint'], given: Arguments, { notes }: Exchange): void {
  if (endpoint.method === 'DELETE' && given.idempotency_key !== undefined) notes.push(ignoredKey(endpoint));
}

const notBoolean = (field: string): AppError =>
  new AppError('invalid_type', {
    field,
    message: `${field} must be true or false.`,
    details: { expected: 'true or false' },
  });

const unconfirmed = (): AppError =>
  new AppError('required', {
    field: 'confirm',
    message:
      'Nothing was done. Ask the person whether they agree to exactly this, and call again with `confirm: true`.',
    bounds: { allowed: [true] },
  });

const failed = (error: ErrorBody, { dependencies }: Exchange): ToolResult => ({
  content: [text(error.message), text(JSON.stringify(withDocUrl(error, dependencies.publicOrigin)))],
  isError: true,
});

/**
 * Calls a tool as the principal of the request, under the rules of the same request by HTTP. The result contains the envelope of
 * the API; an error of the API is a result too, in words and as JSON, so that the assistant can mend it.
 */
export async function callTool(
  tool: Tool,
  given: Arguments,
  exchange: Exchange,
  bodyBytes: number,
): Promise<ToolResult> {
  const { endpoint } = tool;
  try {
    const values = pathValues(tool, given, exchange.principal!);
    const principal = await actingPrincipal(exchange, endpoint, values, exchange.principal!);
    authorize(endpoint, values, principal);
    const read = endpoint.method === 'GET' ? readInput : writeInput;
    const input = read(tool, values, given, bodyBytes);
    noteIgnored(endpoint, given, exchange);
    const { answer, error } = await requestOperation(exchange, endpoint, input, principal);
    if (error) return failed(error, exchange);
    const { requestId, isDryRun, notes } = exchange;
    const envelope = successEnvelope(answer.body, answer.pagination, { requestId, isDryRun, notes });
    return { content: [text(decoder.decode(envelope))] };
  } catch (error) {
    exchange.dependencies.log.failed(exchange.requestId, error);
    return failed((error instanceof AppError ? error : new AppError('internal')).toBody(), exchange);
  }
}
