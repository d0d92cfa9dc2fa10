import { readConfig, serviceConfig } from '@swim/platform';
import { z } from 'zod';
import { arePeppersClear, pepperSettings } from './pepper-settings.js';

/** Settings of the people service from its environment. */
export const config = readConfig(
  z
    .object({
      ...serviceConfig,
      ...pepperSettings,
      /** Milliseconds between the two rounds of an account's erasure; no request or event is processed for longer. */
      ERASURE_DRAIN_MS: z.coerce.number().int().min(0).default(40_000),
      /** Where the gateway is reached from outside: passkeys are made for its host. */
      PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
      /** Passwords that may be tried for one user within a clock minute; the same for codes. */
      SIGN_IN_PER_MINUTE: z.coerce.number().int().min(1).default(10),
      /** Sign-ins, sign-ups and resets of one network within a clock minute. */
      SIGN_IN_PER_NETWORK_PER_MINUTE: z.coerce.number().int().min(1).default(100),
    })
    .refine(arePeppersClear, {
      path: ['KEY_PEPPERS'],
      error: 'names another pepper of the version that KEY_PEPPER has',
    }),
);

export type Config = typeof config;
