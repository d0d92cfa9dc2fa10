import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** Settings of scheduling from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** Lease of a claim that is being taken, in ms; after that another run may release it. */
    CLAIM_LEASE_MS: z.coerce.number().int().min(100).default(5_000),
    /** Where the gateway is reached from outside: addresses of calendar feeds begin with it. */
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
  }),
);

export type Config = typeof config;
