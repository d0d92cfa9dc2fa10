import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { AppError } from '@swim/platform';
import { isTrusted } from '../authentication/client-address.js';

/** Most header lines of a request. 16 KiB, the bound of their bytes, would hold four thousand. */
const MAX_HEADERS = 200;

// Two of them could be read differently by a proxy and by us: as two hosts, two clients, two requests.
const ONCE = new Map([
  ['host', 'Host'],
  ['authorization', 'Authorization'],
  ['idempotency-key', 'Idempotency-Key'],
]);
const LENGTHS = new Set([...ONCE.keys()].map((name) => name.length));

/**
 * Checks the header lines as they came: Node keeps the first of two, or joins them. Throws `malformed_request` for a header
 * that must come once, `headers_too_large` for too many.
 */
export function checkHead({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length > MAX_HEADERS * 2) {
    const message = `The request has more than ${MAX_HEADERS} headers.`;
    throw new AppError('headers_too_large', { field: 'headers', message });
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    const message = 'The request has no Host header; send exactly one.';
    throw new AppError('malformed_request', { field: 'Host', message });
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
      throw new AppError('malformed_request', { field, message });
    }
    seen.add(name);
  }
}

/** Whether the client reached us over TLS, as a trusted proxy reports (`X-Forwarded-Proto`); other peers are not trusted. */
export function cameOverTls({ socket, headers }: IncomingMessage, trustedProxies: BlockList): boolean {
  const forwarded = headers['x-forwarded-proto'];
  if (forwarded === undefined || !isTrusted(socket.remoteAddress, trustedProxies)) return false;
  return String(forwarded).split(',').at(-1)!.trim().toLowerCase() === 'https';
}
