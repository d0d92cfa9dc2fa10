import { readConfig, secret, serviceConfig } from '@swim/platform';
import { z } from 'zod';

const milliseconds = z.coerce.number().int().min(10);

/** Settings of the payment service from its environment. */
export const config = readConfig(
  z
    .object({
      ...serviceConfig,
      /**
       * Lease of a payment in progress, in milliseconds; after that the recoverer takes it over. Longer than a write may last,
       * so that no earlier request to another service can still take effect afterwards.
       */
      PAYMENT_LEASE_MS: milliseconds.default(15_000),
      /** Milliseconds a request waits for the processor; after that it returns the payment as pending. */
      PROCESSOR_TIMEOUT_MS: milliseconds.default(5_000),
      /**
       * Milliseconds after which a payment without an outcome is cancelled at the processor; with the last delay between
       * attempts it ends within 60 s (contract, Payments).
       */
      PAYMENT_TIMEOUT_MS: milliseconds.default(30_000),
      /** Milliseconds after which the simulator settles a `pm_card_timeout` charge. */
      SANDBOX_SETTLING_MS: milliseconds.default(5_000),
      /** Secret key of Stripe, which charges live payments: `sk_live_…`. Without it live payments are `unavailable`. */
      STRIPE_SECRET_KEY: secret(z.string().min(1).optional()),
      /** Secret by which Stripe signs its webhooks to `POST /v1/webhooks/stripe`: `whsec_…`. Required with STRIPE_SECRET_KEY. */
      STRIPE_WEBHOOK_SECRET: secret(z.string().min(1).optional()),
      /** Address of Stripe's API; another one only for tests. */
      STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
    })
    .refine((set) => (set.STRIPE_SECRET_KEY === undefined) === (set.STRIPE_WEBHOOK_SECRET === undefined), {
      path: ['STRIPE_WEBHOOK_SECRET'],
      error: 'is set without the other: live payments need STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET',
    }),
);

export type Config = typeof config;
