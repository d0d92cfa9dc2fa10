import type { Principal } from '@swim/contracts';
import type { Exchange } from '../exchange.js';
import { policy } from './policy.js';

async function admit(exchange: Exchange, principal: Principal): Promise<true> {
  const { quota, denied } = await exchange.dependencies.limiter.admit(principal);
  exchange.quota = quota;
  if (denied) throw denied;
  return true;
}

/** Counts the request against its account's limits. */
export const rateLimitPolicy = policy('rate-limit', (exchange) =>
  exchange.principal === null ? true : admit(exchange, exchange.principal),
);
