import { z } from 'zod';
import { distinct, expects, id, idText, instantText, notBlank, patch, timestamp } from '../formats/formats.js';
import { changingFilters, listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';
import { principal, SCOPES, scope } from '../operations/principal.js';
import { account } from './accounts.js';

/** SHA-256 in base64url. */
const keyDigest = z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'invalid_format' });

/**
 * The principal of a well-formed key. `digest` is what `parseApiKey` makes of the secret, which never leaves the gateway;
 * an unknown id and a wrong digest answer the same. `expiresAt` is ISO 8601 UTC, null for never; an empty `ipAllowlist`
 * allows every address.
 */
export const verifyKey = rpc('people.verifyKey', {
  kind: 'read',
  isIsolated: true,
  input: z.strictObject({ keyId: id('key'), digest: keyDigest, env: z.enum(['live', 'test']) }),
  output: z.object({ principal, expiresAt: z.string().nullable(), ipAllowlist: z.array(z.string()) }),
  errors: ['unknown_key', 'expired_key', 'revoked_key'],
});

/**
 * Published to all gateways when a key changes: their cached verdicts on it are outdated. It contains neither the key's text
 * nor the change.
 */
export const keyInvalidation = z.object({ keyId: z.string(), revoked: z.boolean() });
export type KeyInvalidation = z.output<typeof keyInvalidation>;

/** `active` until the instant of `expires_at` or `revoked_at`. */
export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const;

/**
 * An API key as every operation returns it; its text is shown once, by `apiKeyWithText`. `last_used_at` is to the minute,
 * `replaced_by` the key that it was rolled into, an empty `ip_allowlist` allows every address.
 */
export const apiKey = apiObject('api_key', {
  id: idText('key'),
  name: z.string(),
  scopes: z.array(scope),
  ip_allowlist: z.array(z.string()),
  last4: z.string(),
  status: z.enum(KEY_STATUSES),
  expires_at: instantText.nullable(),
  last_used_at: instantText.nullable(),
  revoked_at: instantText.nullable(),
  replaced_by: idText('key').nullable(),
  created_at: instantText,
  updated_at: instantText.meta({
    description: 'When it was made, changed, rolled or revoked last; using it is no change',
  }),
});
export type ApiKey = z.output<typeof apiKey>;

/** What the holder of a key is, and may do. */
export const me = z.object({ account, key: apiKey });
export type Me = z.output<typeof me>;

export const getMe = rpc('people.getMe', {
  summary: 'Get the key and its account',
  description: 'Who the key belongs to, and what it may do.',
  kind: 'read',
  input: z.strictObject({}),
  output: me,
  errors: ['resource_not_found'],
});

/** A key that was made just now, with its text; a dry run has none. */
export const apiKeyWithText = apiKey.extend({
  key: z
    .string()
    .nullable()
    .meta({ description: 'What to send as the Bearer token. Shown this once; null in a dry run' }),
});
export type ApiKeyWithText = z.output<typeof apiKeyWithText>;

const ADDRESS_FORMS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];

/**
 * An IPv4 or IPv6 address, or a network of either in CIDR notation (RFC 4632, RFC 4291). An IPv4 address goes by its own
 * spelling only, not by the one that IPv6 lends it (`::ffff:…`).
 */
const addressRange = z
  .string()
  .max(49, { error: 'invalid_format', abort: true })
  .refine((text) => !/^::ffff:/i.test(text) && ADDRESS_FORMS.some((form) => form.safeParse(text).success), {
    error: 'invalid_format',
  })
  .meta({
    ...expects('an IPv4 or IPv6 address, or a network in CIDR notation, such as 198.51.100.0/24'),
    pattern: ADDRESS_FORMS.map(({ _zod }) => _zod.def.pattern!.source).join('|'),
    description: 'IPv4 or IPv6 address, or a network in CIDR notation',
    examples: ['198.51.100.0/24'],
  });

const keyFields = {
  name: notBlank(100),
  scopes: distinct(z.array(scope).min(1).max(SCOPES.length, { abort: true })),
  ip_allowlist: distinct(z.array(addressRange).max(50, { abort: true })),
};

const ofKey = { account_id: id('acct'), key_id: id('key') };
const MANAGING = ['foreign_account', 'missing_scope'] as const;

export const listKeys = rpc('people.listKeys', {
  summary: 'List API keys',
  description: 'The keys of the account, newest first, without their secrets.',
  kind: 'list',
  input: listQuery({ account_id: id('acct'), ...changingFilters('key') }),
  output: apiKey,
  errors: ['foreign_account'],
});

export const getKey = rpc('people.getKey', {
  summary: 'Get an API key',
  description: 'A key without its secret.',
  kind: 'read',
  input: z.strictObject(ofKey),
  output: apiKey,
  errors: ['foreign_account', 'resource_not_found'],
});

/**
 * Makes a key of the requesting account and environment, of which at most 100 may be active at a time. It can do nothing
 * that the requesting key can't: by default it has the same addresses and end, and of the requesting key's scopes all but
 * `members:medical`, `keys:write` and `accounts:erase`, which have to be requested; no end with `expires_at: null`. More
 * scopes are `missing_scope`, further addresses or a later end `out_of_range`.
 */
export const createKey = rpc('people.createKey', {
  summary: 'Create an API key',
  description: 'The secret is shown once. A key grants no scope that the key of the request lacks.',
  kind: 'write',
  input: z.strictObject({
    account_id: id('acct'),
    name: keyFields.name,
    scopes: keyFields.scopes.optional().meta({
      description:
        'Default: those of the key that makes the request but `members:medical`, `keys:write` and `accounts:erase`, which have to be named',
    }),
    ip_allowlist: keyFields.ip_allowlist.optional(),
    expires_at: timestamp.nullish(),
  }),
  output: apiKeyWithText,
  errors: [...MANAGING, 'in_past', 'out_of_range', 'limit_reached', 'change_in_progress'],
});

export const updateKey = rpc('people.updateKey', {
  summary: 'Update an API key',
  description:
    'Changes name, scopes or allow-list, everywhere within a second. The expiry is chosen when a key is made, and cannot be changed.',
  kind: 'write',
  reads: getKey,
  input: z.strictObject({ ...ofKey, changes: patch(keyFields) }),
  output: apiKey,
  errors: [...MANAGING, 'resource_not_found', 'out_of_range', 'invalid_state', 'change_in_progress'],
});

/**
 * Makes the successor of an active key, with the same name, scopes and addresses and the same end. The old one works for
 * `overlap_hours` more, whole hours 0 to 72, and never beyond its own end. A key is rolled once.
 */
export const rollKey = rpc('people.rollKey', {
  summary: 'Roll an API key',
  description: 'Makes a key with the same rights, and ends the old one after the overlap.',
  kind: 'write',
  input: z.strictObject({ ...ofKey, overlap_hours: z.int().min(0).max(72).default(24) }),
  output: apiKeyWithText,
  errors: [...MANAGING, 'resource_not_found', 'out_of_range', 'invalid_state', 'limit_reached', 'change_in_progress'],
});

export const revokeKey = rpc('people.revokeKey', {
  summary: 'Revoke an API key',
  description: 'Ends the key everywhere within a second, for good.',
  kind: 'write',
  input: z.strictObject(ofKey),
  output: apiKey,
  errors: [...MANAGING, 'resource_not_found'],
});
