import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** What the notification service reads from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** Days for which an event is listed (contract, Events and webhooks). */
    EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
    /** Seconds between two looks for events that are older than that. */
    PURGE_INTERVAL_SECONDS: z.coerce.number().int().min(1).default(3_600),
    /** Failed attempts, while other events get through, after which an event goes to the dead letters. */
    EVENT_GIVE_UP_AFTER: z.coerce.number().int().min(1).default(20),
    /**
     * Seconds for which the event before one, of the same object, is waited for. After that it is stored without, since an
     * event out of order is less harm than an event lost.
     */
    EVENT_ORDER_WAIT_SECONDS: z.coerce.number().int().min(0).default(180),
  }),
);

export type Config = typeof config;
