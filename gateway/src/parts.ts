import type { Authenticator } from './authentication/authenticator.js';
import type { ServiceCalls } from './calls/service-calls.js';
import type { Pages } from './pages.js';
import type { RateLimiter } from './rate-limits/rate-limiter.js';
import type { RequestLog } from './request-log.js';

/** What one running gateway is made of; every request carries it to the policies. */
export interface Parts {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly calls: ServiceCalls;
  readonly pages: Pages;
  readonly log: RequestLog;
  /** Set once the process is about to end: answers then ask for the connection to be closed. */
  isDraining: boolean;
}
