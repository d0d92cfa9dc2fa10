import { policy } from './policy.js';

/** Gives the request its id. */
export const requestIdPolicy = policy('request-id', (exchange) => {
  exchange.identify();
  return true;
});
