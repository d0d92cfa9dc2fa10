import { busSettings, readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const { HEALTH_PORT, HEALTH_HOST, LOG_LEVEL } = serviceConfig;

/** Settings of `bus-setup` from its environment. */
export const config = readConfig(z.object({ ...busSettings, HEALTH_PORT, HEALTH_HOST, LOG_LEVEL }));
