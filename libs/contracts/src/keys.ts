import { z } from 'zod';
import { id } from './formats.js';
import { rpc } from './operation.js';
import { principal } from './principal.js';

/**
 * Whom a well-formed key speaks for. `secret` is what `parseApiKey` reads; an unknown id and a wrong secret answer the
 * same. `expiresAt` is ISO 8601 UTC, null for never; an empty `ipAllowlist` allows every address.
 */
export const verifyKey = rpc('people.verifyKey', {
  kind: 'read',
  input: z.strictObject({ keyId: id('key'), secret: z.string().max(100), env: z.enum(['live', 'test']) }),
  output: z.object({ principal, expiresAt: z.string().nullable(), ipAllowlist: z.array(z.string()) }),
  errors: ['unknown_key', 'expired_key', 'revoked_key'],
});
