import { z } from 'zod';
import { id, notBlank } from '../formats/formats.js';
import { listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';
import { signInResult } from './dashboard-sign-in.js';
import { presentedCookie, withCookies } from './dashboard-users.js';

/** The most passkeys of a user. */
export const MOST_PASSKEYS = 10;

const ofUser = { kind: 'write' } as const;
// The session's user may have been removed since the gateway verified the session.
const ENDED = 'session_ended';

const base64url = (max: number) =>
  z
    .string()
    .max(max, { error: 'too_long', abort: true })
    .regex(/^[\w-]+$/, { error: 'invalid_format' });

/** Members that a browser adds are passed over: the library reads what is signed. */
const credentialOf = <S extends z.ZodRawShape>(response: S) =>
  z.looseObject({
    id: base64url(2_000),
    rawId: base64url(2_000),
    type: z.literal('public-key', { error: 'invalid_value' }),
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({ clientDataJSON: base64url(20_000), ...response }),
  });

/** What a browser returns for a new passkey (Web Authentication Level 3, RegistrationResponseJSON). */
const passkeyRegistration = credentialOf({
  attestationObject: base64url(100_000),
  transports: z
    .array(z.string().max(40, { error: 'too_long', abort: true }))
    .max(10, { error: 'too_long', abort: true })
    .optional(),
});
export type PasskeyRegistration = z.output<typeof passkeyRegistration>;

/** What a browser returns for a signature by a passkey (AuthenticationResponseJSON). */
export const passkeyAssertion = credentialOf({ authenticatorData: base64url(20_000), signature: base64url(4_000) });
export type PasskeyAssertion = z.output<typeof passkeyAssertion>;

/** The options that a browser is called with; `challenge` is valid once, for five minutes. */
export const passkeyOptions = z.looseObject({ challenge: z.string() });

/** A passkey of the signed-in user. */
export const passkey = apiObject('passkey', {
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type Passkey = z.output<typeof passkey>;

const pending = presentedCookie.optional();

/** Options for a signature that completes a sign-in. `sign_in_expired` for a user without passkeys too. */
export const beginPasskeySignIn = rpc('people.beginPasskeySignIn', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ pending }),
  output: passkeyOptions,
  errors: ['sign_in_expired'],
});

/** Completes a sign-in by a signature of a passkey. Each challenge counts once. */
export const signInWithPasskey = rpc('people.signInWithPasskey', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ pending, response: passkeyAssertion }),
  output: withCookies(signInResult),
  errors: ['sign_in_expired', 'second_factor_locked', 'wrong_passkey', 'change_in_progress'],
});

/** Options for a new passkey of the signed-in user; they replace those that were requested before. */
export const beginPasskey = rpc('people.beginPasskey', {
  ...ofUser,
  input: z.strictObject({}),
  output: passkeyOptions,
  errors: [ENDED, 'limit_reached', 'change_in_progress'],
});

/** Adds a passkey. With the first second factor of a user come recovery codes, which are shown once. All other sessions end. */
export const addPasskey = rpc('people.addPasskey', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ session: presentedCookie, name: notBlank(100), response: passkeyRegistration }),
  output: withCookies(z.object({ passkey, recovery_codes: z.array(z.string()).nullable() })),
  errors: [ENDED, 'wrong_passkey', 'limit_reached', 'sign_in_attempts', 'change_in_progress'],
});

/** The passkeys of the signed-in user, oldest first, all at once. */
export const listPasskeys = rpc('people.listPasskeys', {
  kind: 'list',
  input: listQuery({}),
  output: passkey,
  errors: [ENDED],
});

/** Renames a passkey. */
export const renamePasskey = rpc('people.renamePasskey', {
  ...ofUser,
  input: z.strictObject({ passkey_id: id('psk'), name: notBlank(100) }),
  output: passkey,
  errors: [ENDED, 'resource_not_found', 'change_in_progress'],
});

/** Removes a passkey; with the last second factor, the recovery codes too. All other sessions end. */
export const removePasskey = rpc('people.removePasskey', {
  ...ofUser,
  input: z.strictObject({ session: presentedCookie, passkey_id: id('psk') }),
  output: withCookies(z.object({})),
  errors: [ENDED, 'resource_not_found', 'change_in_progress'],
});
