import { readConfig, secret32, serviceConfig } from '@swim/platform';
import { z } from 'zod';

/** What the people service reads from its environment. */
export const config = readConfig(
  z.object({
    ...serviceConfig,
    /** HMAC key under which the secrets of API keys are stored, version 1: 32 bytes in base64. */
    KEY_PEPPER: secret32,
  }),
);
