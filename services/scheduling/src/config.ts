import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** What scheduling reads from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** How long, in ms, a claim or move that is being made counts as alive; after that others may end it. */
    CLAIM_LEASE_MS: z.coerce.number().int().min(100).default(5_000),
  }),
);

export type Config = typeof config;
