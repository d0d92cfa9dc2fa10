import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { OTHER_KEY, unknownFieldMessage } from '@swim/contracts';
import { AppError, newId } from '@swim/platform';
import type { z } from 'zod';
import type { Exchange } from '../exchange.js';
import { readJsonBody } from '../requests/json-body.js';
import { hasBody, readRawBody } from '../requests/raw-body.js';
import { readQuery } from '../requests/request-target.js';
import type { Endpoint } from '../router.js';
import { inputError, mayBeUnchanged } from './input-errors.js';

type Fields = Record<string, unknown>;

/**
 * The error of a parameter or field that the operation does not have; one without a name is a parameter of the query.
 * @param allowed - those that it has.
 */
export function unknownField(name: string, allowed?: readonly string[]): AppError {
  const field = name || 'query';
  return new AppError('unknown_field', {
    field,
    message: unknownFieldMessage(field),
    ...(allowed ? { bounds: { allowed } } : {}),
  });
}

/** The operation's input: the path's parameters and the query or body, which must not repeat them. */
function inputOf({ params, inputParams, isPatch }: Endpoint, values: readonly string[], fields: Fields): Fields {
  if (params.length === 0) return fields;
  const input: Fields = isPatch ? { changes: fields } : { ...fields };
  params.forEach((name, index) => {
    if (!isPatch && Object.hasOwn(fields, name)) throw unknownField(name);
    if (inputParams.has(name)) input[name] = values[index];
  });
  return input;
}

/** From this size on, the error names only the first wrong field: naming tens of thousands takes too long. */
const LARGE_BODY_BYTES = 16 * 1024;

/** An option of zod that its public type lacks: stop at the first issue. */
interface ParseContext extends z.core.ParseContext<z.core.$ZodIssue> {
  abortEarly: boolean;
}

/**
 * Assembles an operation's input and checks it against its contract. Returns it unparsed: the service parses it with the
 * same contract. Throws the error of `inputError`.
 */
export function checkedInput(endpoint: Endpoint, values: readonly string[], fields: Fields, bodyBytes = 0): Fields {
  const input = inputOf(endpoint, values, fields);
  const options: ParseContext = { reportInput: true, abortEarly: bodyBytes >= LARGE_BODY_BYTES };
  const parsed = endpoint.operation.input.safeParse(input, options);
  if (!parsed.success && !mayBeUnchanged(endpoint, parsed.error)) throw inputError(endpoint, parsed.error);
  const { metadata } = fields;
  // Zod drops this key, instead of rejecting it.
  if (typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, '__proto__'))
    throw new AppError('invalid_value', {
      field: 'metadata.__proto__',
      message: `metadata.__proto__ must be ${OTHER_KEY}.`,
      details: { expected: OTHER_KEY },
    });
  return input;
}

/** Reads `dry_run`, the only query parameter of a write. Throws `unknown_field`, `invalid_value`. */
export function readDryRun(query: ReadonlyMap<string, string>): boolean {
  for (const name of query.keys()) if (name !== 'dry_run') throw unknownField(name, ['dry_run']);
  const value = query.get('dry_run');
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw new AppError('invalid_value', {
      field: 'dry_run',
      message: 'dry_run must be one of true, false.',
      details: { allowed: ['true', 'false'] },
    });
  return value === 'true';
}

const MOST_KEY_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]*$/;

function invalidKey(key: unknown, field: string): AppError {
  const sent = typeof key !== 'string' ? 'another type' : PRINTABLE.test(key) ? `${key.length}` : 'other characters';
  return new AppError('invalid_idempotency_key', {
    field,
    message: `${field} must have 1 to ${MOST_KEY_LENGTH} printable ASCII characters; you sent ${sent}.`,
    bounds: { min_length: 1, max_length: MOST_KEY_LENGTH },
  });
}

/** An idempotency key, null without; throws `invalid_idempotency_key`, which names the header or argument. */
export function checkedIdempotencyKey(key: unknown, field: string): string | null {
  if (key === undefined) return null;
  const isKey = typeof key === 'string' && key !== '' && key.length <= MOST_KEY_LENGTH && PRINTABLE.test(key);
  if (!isKey) throw invalidKey(key, field);
  return key;
}

/** The request's Idempotency-Key, null without; throws `invalid_idempotency_key`. */
export const readIdempotencyKey = ({ headers }: IncomingMessage): string | null =>
  checkedIdempotencyKey(headers['idempotency-key'], 'Idempotency-Key');

/** JSON with sorted names and no blanks: equal for equal bodies. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/**
 * SHA-256, in hex, of method, path and body, which a repeated request must have in common with the first. `values` are those of the
 * path's parameters, decoded: one client may encode what another leaves as it is.
 */
export function fingerprintOf(
  { method, path, params }: Pick<Endpoint, 'method' | 'path' | 'params'>,
  values: readonly string[],
  body: Record<string, unknown>,
): string {
  const filled = params.reduce((text, name, index) => text.replace(`{${name}}`, () => values[index]!), path);
  return hash('sha256', `${method}\n${filled}\n${canonicalJson(body)}`, 'hex');
}

/** The input of an operation as a request contains it, checked against the contract. */
export interface OperationInput {
  readonly input: Record<string, unknown>;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | null;
  /** Present in a write that the gateway may repeat: the client's key, or one of its own. */
  readonly writeKey: string | null;
  /** Present where there is a key. */
  readonly fingerprint: string | null;
}

/** The warning of a key on a method that repeats safely without one. */
export const ignoredKey = ({ method }: Pick<Endpoint, 'method'>): string =>
  `Idempotency-Key has no effect on ${method}.`;

function noteIgnoredKey({ request, notes }: Exchange, endpoint: Endpoint): void {
  if (request.headers['idempotency-key'] !== undefined) notes.push(ignoredKey(endpoint));
}

// `metadata[]` and `metadata[a][b]` name no key: other parsers read them as a list, and as an object within an object.
const METADATA = /^metadata\[((?!.*\]\[).+)\]$/s;

/** The object that a text spells out as JSON; any other text as it is, which the contract rejects. */
function objectIn(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/**
 * The members of a query; the parameters `metadata[KEY]` are one member, `metadata`, which may also be JSON: many generated clients write
 * it so. Throws `duplicate_parameter`.
 */
export function queryFields(query: ReadonlyMap<string, string>): Fields {
  const [fields, metadata]: [string, unknown][][] = [[], []];
  for (const [name, value] of query) {
    const key = METADATA.exec(name)?.[1];
    if (key === undefined) fields!.push([name, name === 'metadata' ? objectIn(value) : value]);
    else metadata!.push([key, value]);
  }
  if (metadata!.length > 0 && query.has('metadata')) throw new AppError('duplicate_parameter', { field: 'metadata' });
  if (metadata!.length > 0) fields!.push(['metadata', Object.fromEntries(metadata!)]);
  return Object.fromEntries(fields!);
}

/** Reads a GET: the path and the query. */
export function readRead(exchange: Exchange, endpoint: Endpoint, values: readonly string[]): OperationInput {
  noteIgnoredKey(exchange, endpoint);
  if (hasBody(exchange.request)) exchange.notes.push('The body of a GET request is ignored.');
  const { query } = exchange.target;
  const fields = query === '' ? {} : queryFields(readQuery(query));
  return {
    input: checkedInput(endpoint, values, fields),
    dryRun: false,
    idempotencyKey: null,
    writeKey: null,
    fingerprint: null,
  };
}

/** Reads a POST, PATCH or DELETE: the path, `dry_run`, the body, and the Idempotency-Key, which has no effect on DELETE. */
export async function readWrite(
  exchange: Exchange,
  endpoint: Endpoint,
  values: readonly string[],
): Promise<OperationInput> {
  const { request, target } = exchange;
  const dryRun = target.query !== '' && readDryRun(readQuery(target.query));
  const takesKey = endpoint.method !== 'DELETE';
  if (!takesKey) noteIgnoredKey(exchange, endpoint);
  const idempotencyKey = takesKey ? readIdempotencyKey(request) : null;
  const bytes = await readRawBody(request);
  const body = readJsonBody(bytes);
  const input = checkedInput(endpoint, values, body, bytes.length);
  const fingerprint = idempotencyKey === null ? null : fingerprintOf(endpoint, values, body);
  return { input, dryRun, idempotencyKey, writeKey: idempotencyKey ?? newId('req'), fingerprint };
}
