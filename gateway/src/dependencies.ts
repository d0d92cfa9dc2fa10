import type { BlockList } from 'node:net';
import type { Authenticator } from './authentication/authenticator.js';
import type { ServiceCalls } from './calls/service-calls.js';
import type { Pages } from './pages.js';
import type { RateLimiter } from './rate-limits/rate-limiter.js';
import type { RequestLog } from './request-log.js';

/** What one running gateway is made of; every request carries it to the policies. */
export interface Dependencies {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly calls: ServiceCalls;
  readonly pages: Pages;
  readonly log: RequestLog;
  /** Whose `X-Forwarded-…` headers are believed. */
  readonly trustedProxies: BlockList;
  /** Value of Strict-Transport-Security for what came over TLS; null to leave it out. */
  readonly hsts: string | null;
  /** Set once the process is about to end: answers then carry `Connection: close`. */
  isDraining: boolean;
}
