import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** Settings of the notification service from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** Days for which an event is listed (contract, Events and webhooks). */
    EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
    /** Seconds between two purges of older events. */
    PURGE_INTERVAL_SECONDS: z.coerce.number().int().min(1).default(3_600),
    /** Failed attempts, while other events succeed, after which an event goes to the dead letters. */
    EVENT_GIVE_UP_AFTER: z.coerce.number().int().min(1).default(20),
    /**
     * Seconds to wait for an event's predecessor, of the same object. After that it is stored without it: an event out of
     * order does less harm than a lost one.
     */
    EVENT_ORDER_WAIT_SECONDS: z.coerce.number().int().min(0).default(180),
    /**
     * Whether webhooks of the sandbox may be sent to loopback and private addresses, for development; never to link-local
     * ones. Live webhooks never may.
     */
    WEBHOOK_ALLOW_PRIVATE: z.stringbool().default(false),
  }),
);

export type Config = typeof config;
