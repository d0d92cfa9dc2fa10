import { readConfig, secret, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const { MONGODB_URI, DATABASE_PREFIX, HEALTH_PORT, HEALTH_HOST, LOG_LEVEL } = serviceConfig;

/** Settings of an audit from its environment. */
export const config = readConfig(
  z.object({
    /** Database of booking, and of payment unless that has another: mongodb:// address of a user that needs to read only. */
    MONGODB_URI,
    /** Database of payment, where it is another server or needs another user. */
    PAYMENT_MONGODB_URI: secret(MONGODB_URI.optional()),
    DATABASE_PREFIX,
    HEALTH_PORT,
    HEALTH_HOST,
    LOG_LEVEL,
    /** Minutes between two audits; without it there is one, whose exit code is 1 when something differs. */
    AUDIT_MINUTES: z.coerce.number().min(0.001).max(10_080).optional(),
    /** Seconds for which a change may be on its way between the services: what is younger is left out. */
    AUDIT_SETTLED_SECONDS: z.coerce.number().min(0).max(86_400).default(120),
  }),
);

export type AuditConfig = typeof config;
