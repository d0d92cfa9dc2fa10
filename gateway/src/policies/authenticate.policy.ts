import type { Principal } from '@swim/contracts';
import { AppError, sharedClock } from '@swim/platform';
import { needsKey } from '../authentication/needs-key.js';
import type { Exchange } from '../exchange.js';
import { policy } from './policy.js';

function keep(exchange: Exchange, principal: Principal): true {
  exchange.principal = principal;
  return true;
}

/** Authenticates the request, unless its route needs no key. */
export const authenticatePolicy = policy('authenticate', (exchange) => {
  if (!needsKey(exchange.match, exchange.target.path)) return true;
  // Limits and deadlines are instants of the one clock: without it nothing can be admitted.
  if (!sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  const principal = exchange.dependencies.authenticator.authenticate(exchange.request);
  return principal instanceof Promise ? principal.then((found) => keep(exchange, found)) : keep(exchange, principal);
});
