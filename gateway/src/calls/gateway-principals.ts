import type { Principal } from '@swim/contracts';

const gatewayPrincipal = (env: Principal['env']): Principal => ({
  accountId: 'gateway',
  kind: 'family',
  env,
  keyId: 'gateway',
  scopes: [],
});

/** The principals of requests that belong to no account: look-ups of keys, and webhooks. */
export const GATEWAY_PRINCIPALS = { live: gatewayPrincipal('live'), test: gatewayPrincipal('test') };
