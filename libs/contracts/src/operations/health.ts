import { z } from 'zod';
import { rpc, SERVICES } from './operation.js';

/** The operation by which each service says what it does not reach, looking at that moment: its database, NATS, its events. */
export const HEALTH_CHECKS = SERVICES.map((service) =>
  rpc(`${service}.checkHealth`, {
    kind: 'read',
    input: z.strictObject({}),
    output: z.object({ failing: z.array(z.string()).meta({ description: 'names of the checks that fail' }) }),
  }),
);
