import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const milliseconds = z.coerce.number().int().min(10);

/** What the payment service reads from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /**
     * Milliseconds for which a payment under way belongs to whoever works on it; after that the recoverer takes it over.
     * Longer than a write may last, so that nothing asked of others earlier can still take effect afterwards.
     */
    PAYMENT_LEASE_MS: milliseconds.default(15_000),
    /** Milliseconds a request waits for the processor; after that the payment is answered as pending. */
    PROCESSOR_TIMEOUT_MS: milliseconds.default(5_000),
    /** Milliseconds after which the sandbox processor knows what became of a `pm_card_timeout` charge. */
    SANDBOX_SETTLING_MS: milliseconds.default(5_000),
  }),
);

export type Config = typeof config;
