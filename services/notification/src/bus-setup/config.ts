import { busSettings, readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const { HEALTH_PORT, HEALTH_HOST, LOG_LEVEL } = serviceConfig;

/** Settings of `bus-setup` from its environment. */
export const config = readConfig(
  z.object({
    ...busSettings,
    /** How many servers of a NATS cluster store each stream: with 3, one of them can fail. A stream with more keeps them. */
    STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
    HEALTH_PORT,
    HEALTH_HOST,
    LOG_LEVEL,
  }),
);
