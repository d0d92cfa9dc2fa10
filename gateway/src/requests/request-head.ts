import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { AppError, newId } from '@swim/platform';
import { isTrusted } from '../authentication/addresses.js';

/** Maximum of header lines in a request. The maximum of their bytes, 16 KiB, allows four thousand. */
const MAX_HEADERS = 200;

// A proxy could read another one of two such headers than the gateway: another host, client or request.
const ONCE = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['idempotency-key', 'Idempotency-Key'],
]);
const LENGTHS = new Set([...ONCE.keys()].map((name) => name.length));

/**
 * Checks the raw header lines: Node keeps the first of two, or joins them. Throws `malformed_request` for a missing Host or
 * a repeated header of ONCE, `headers_too_large` for too many lines.
 */
export function checkHead({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > MAX_HEADERS * 2) {
    const message = `The request has more than ${MAX_HEADERS} headers. Send at most ${MAX_HEADERS}.`;
    throw new AppError('headers_too_large', { field: 'headers', message, bounds: { maximum: MAX_HEADERS } });
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    const message = 'The request has no Host header; send exactly one.';
    throw new AppError('malformed_request', { field: 'Host', message, bounds: { expected: 'sent once' } });
  }
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    const field = ONCE.get(name);
    if (field === undefined) continue;
    if (seen.has(name)) {
      const message = `The request has more than one ${field} header; send exactly one.`;
      throw new AppError('malformed_request', { field, message, bounds: { expected: 'sent once' } });
    }
    seen.add(name);
  }
}

/** Whether the client used TLS, as a trusted proxy reports (`X-Forwarded-Proto`); other peers are not trusted. */
export function cameOverTls({ socket, headers }: IncomingMessage, trustedProxies: BlockList): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded === undefined || !isTrusted(socket.remoteAddress, trustedProxies)) return false;
  return String(forwarded).split(',').at(-1)!.trim().toLowerCase() === 'https';
}

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The client's trace context (W3C Trace Context, section 3.2); null without one of version 00. */
export function readTraceparent({ headers }: IncomingMessage): string | null {
  const given = headers.traceparent;
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : null;
}

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The client's own request id where it is well-formed, otherwise a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}
