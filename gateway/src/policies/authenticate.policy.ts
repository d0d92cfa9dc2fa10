import type { Principal } from '@swim/contracts';
import { needsKey } from '../authentication/needs-key.js';
import type { Exchange } from '../exchange.js';
import { policy } from './policy.js';

function keep(exchange: Exchange, principal: Principal): true {
  exchange.principal = principal;
  return true;
}

/** Finds out whom the request speaks for, unless it asks for what needs no key. */
export const authenticatePolicy = policy('authenticate', (exchange) => {
  if (!needsKey(exchange.match, exchange.target.path)) return true;
  const principal = exchange.parts.authenticator.authenticate(exchange.request);
  return principal instanceof Promise ? principal.then((found) => keep(exchange, found)) : keep(exchange, principal);
});
