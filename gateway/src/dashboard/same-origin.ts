import type { IncomingMessage } from 'node:http';
import { AppError } from '@swim/platform';

const READS = new Set(['GET', 'HEAD']);

const hostOf = (origin: string): string | null => {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
};

/**
 * Checks that a write with a cookie comes from a page of the dashboard (OWASP: CSRF Prevention Cheat Sheet). Other origins cannot
 * set the header `Swim-Dashboard` without a preflight request, which is not answered; and browsers set Origin and
 * Sec-Fetch-Site themselves. `publicOrigin` is accepted where a proxy changes Host; empty without one. Throws `csrf_rejected`.
 */
export function requireSameOrigin({ method, headers }: IncomingMessage, publicOrigin: string): void {
  if (READS.has(method!)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isFromPage = headers['swim-dashboard'] === '1' && (site === undefined || site === 'same-origin');
  const isOwn = origin !== undefined && (hostOf(origin) === host?.toLowerCase() || origin === publicOrigin);
  if (!isFromPage || !isOwn) throw new AppError('csrf_rejected');
}
