import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '@swim/platform';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The request's Idempotency-Key, null without; throws `invalid_idempotency_key`. */
export function readIdempotencyKey({ headers }: IncomingMessage): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !PRINTABLE.test(key))
    throw new AppError('invalid_idempotency_key', { field: 'Idempotency-Key' });
  return key;
}

/** JSON with sorted names and no blanks, so that two spellings of one body are equal. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256, in hex, of what a repeated request must have in common with the first: method, path and body. */
export const fingerprintOf = (method: string, path: string, body: Record<string, unknown>): string =>
  hash('sha256', `${method}\n${path}\n${canonicalJson(body)}`, 'hex');
