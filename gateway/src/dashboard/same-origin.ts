import type { IncomingMessage } from 'node:http';
import { AppError } from '@swim/platform';

const READS = new Set(['GET', 'HEAD']);

/** Whether an origin is the public one, or has its scheme and the host that the request goes to; without a public one any scheme. */
function isOwn(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  const { protocol, host: from } = URL.parse(origin) ?? {};
  return from === host?.toLowerCase() && (publicOrigin === '' || publicOrigin.startsWith(`${protocol}//`));
}

/**
 * Checks that a write with a cookie comes from a page of the dashboard (OWASP: CSRF Prevention Cheat Sheet). Other origins cannot
 * set the header `Swim-Dashboard` without a preflight request, which is not answered; and browsers set Origin and
 * Sec-Fetch-Site themselves. `publicOrigin` is accepted where a proxy changes Host, and a page without TLS is not where it has TLS; empty
 * without one. Throws `csrf_rejected`.
 */
export function requireSameOrigin({ method, headers }: IncomingMessage, publicOrigin: string): void {
  if (READS.has(method!)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isFromPage = headers['swim-dashboard'] === '1' && (site === undefined || site === 'same-origin');
  if (!isFromPage || origin === undefined || !isOwn(origin, host, publicOrigin)) throw new AppError('csrf_rejected');
}
