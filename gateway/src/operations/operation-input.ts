import type { Exchange } from '../exchange.js';
import { fingerprintOf, readIdempotencyKey } from '../requests/idempotency-key.js';
import { checkedInput, LARGE_BODY_BYTES, readDryRun } from '../requests/input.js';
import { readJsonBody } from '../requests/json-body.js';
import { readQuery } from '../requests/query.js';
import { hasBody, readRawBody } from '../requests/raw-body.js';
import type { Endpoint } from '../router.js';

/** The input of an operation as the request gives it, checked against the contract. */
export interface OperationInput {
  readonly input: Record<string, unknown>;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | null;
  /** Present where there is a key. */
  readonly fingerprint: string | null;
}

/** Reads a GET: the path and the query. */
export function readRead(
  { request, target, notes }: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
): OperationInput {
  if (request.headers['idempotency-key'] !== undefined) notes.push('Idempotency-Key has no effect on GET.');
  if (hasBody(request)) notes.push('The body of a GET request is ignored.');
  const fields = target.query === '' ? {} : Object.fromEntries(readQuery(target.query));
  return { input: checkedInput(endpoint, values, fields), dryRun: false, idempotencyKey: null, fingerprint: null };
}

/** Reads a POST, PATCH or DELETE: the path, `dry_run`, the body and the Idempotency-Key (the last two not of DELETE). */
export async function readWrite(
  { request, target, notes }: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
): Promise<OperationInput> {
  const dryRun = target.query !== '' && readDryRun(readQuery(target.query));
  if (endpoint.method === 'DELETE') {
    if (request.headers['idempotency-key'] !== undefined) notes.push('Idempotency-Key has no effect on DELETE.');
    if (hasBody(request)) notes.push('The body of a DELETE request is ignored.');
    return { input: checkedInput(endpoint, values, {}), dryRun, idempotencyKey: null, fingerprint: null };
  }
  const idempotencyKey = readIdempotencyKey(request);
  const bytes = await readRawBody(request);
  const body = readJsonBody(bytes);
  const input = checkedInput(endpoint, values, body, bytes.length >= LARGE_BODY_BYTES);
  const fingerprint = idempotencyKey === null ? null : fingerprintOf(endpoint.method, target.path, body);
  return { input, dryRun, idempotencyKey, fingerprint };
}
