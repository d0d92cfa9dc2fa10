import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** Settings of the booking service from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /**
     * Lease of a booking in progress, in milliseconds; after that the recoverer takes it over. Longer than a write may last,
     * so that the recoverer does not finish work that its maker is about to finish.
     */
    SAGA_LEASE_MS: z.coerce.number().int().min(100).max(30_000).default(12_000),
    /** Minutes that a booking waits for its prepayment before it expires (contract, Bookings). */
    PREPAYMENT_MINUTES: z.coerce.number().min(0.01).max(1_440).default(15),
    /** Minutes between two comparisons of bookings with their sessions; one follows each start. */
    RECONCILIATION_MINUTES: z.coerce.number().min(0.01).max(1_440).default(60),
    /** Days after its last change for which a completed booking is compared: attendance may be recorded later. */
    RECONCILIATION_DAYS: z.coerce.number().min(0).max(365).default(30),
    /** Seconds for which a change of a session may be on its way to its booking; later it counts as a difference. */
    RECONCILIATION_GRACE_SECONDS: z.coerce.number().min(0).max(3_600).default(120),
  }),
);

export type Config = typeof config;
