import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { currency, id, notBlank } from '../formats/formats.js';
import { timezone } from '../formats/time-zones.js';
import { rpc } from '../operations/operation.js';
import { accountKind, principal } from '../operations/principal.js';
import {
  dashboardMe,
  linkToken,
  newPassword,
  ofSession,
  presentedCookie,
  presentedDevices,
  presentedPassword,
  SECOND_FACTORS,
  secretDigest,
  userFields,
  withCookies,
} from './dashboard-users.js';

/** What a sign-in leads to: a session, or the request for a second factor. */
export const signInResult = z.object({
  status: z.enum(['signed_in', 'second_factor_required']),
  me: dashboardMe.optional(),
  methods: z.array(z.enum(SECOND_FACTORS)).optional(),
});
export type SignInResult = z.output<typeof signInResult>;

const ofUser = { kind: 'write' } as const;

/**
 * The principal of a session's user in an environment. `unknown_key` for a session that does not exist or a wrong digest,
 * `revoked_key` for one that was ended, `expired_key` for one that was not used for too long, `sandbox_erased` in the sandbox of an
 * account that exists in live only.
 */
export const verifyUserSession = rpc('people.verifyUserSession', {
  kind: 'read',
  isIsolated: true,
  input: z.strictObject({ ...ofSession, digest: secretDigest, env: z.enum(['live', 'test']) }),
  output: z.object({ principal, expiresAt: z.string().nullable(), ipAllowlist: z.array(z.string()) }),
  errors: ['unknown_key', 'expired_key', 'revoked_key', 'sandbox_erased'],
});

/**
 * Sends a link that confirms the address and makes the account; it ends those that were sent before. The answer is the same
 * whether or not the address is known; one that is gets a message that says so.
 */
export const signUp = rpc('people.signUp', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({
    ...userFields,
    account_name: notBlank(200),
    kind: accountKind,
    timezone,
    locale,
    currency: currency.optional(),
  }),
  output: z.object({ status: z.literal('confirmation_sent') }),
  errors: ['sign_in_attempts'],
});

/**
 * Makes the account of a sign-up, by the token of its link, and signs its owner in. The password is set here: who signs up with
 * the address of somebody else never knows it.
 */
export const confirmSignUp = rpc('people.confirmSignUp', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ token: linkToken, password: newPassword }),
  output: withCookies(dashboardMe),
  errors: ['invalid_link', 'common_password'],
});

/**
 * Signs a user in, or requests a second factor. An unknown address and a wrong password are the same error. Tries of browsers in
 * which the user has signed in before are counted for each of them, all others together.
 */
export const signIn = rpc('people.signIn', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({
    email: userFields.email,
    password: presentedPassword,
    remember: z.boolean().default(false),
    devices: presentedDevices,
  }),
  output: withCookies(signInResult),
  errors: ['wrong_credentials', 'sign_in_attempts', 'second_factor_locked'],
});

/**
 * Sends a link that signs in once, within an hour; five an hour to an address. It works wherever it is opened, however many
 * passwords were tried. The answer is the same whether or not the address is known.
 */
export const requestSignInLink = rpc('people.requestSignInLink', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ email: userFields.email }),
  output: z.object({ status: z.literal('link_sent') }),
  errors: ['sign_in_attempts'],
});

/** Signs a user in by a link that is valid once. */
export const signInWithLink = rpc('people.signInWithLink', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ token: linkToken }),
  output: withCookies(signInResult),
  errors: ['invalid_link'],
});

/** Ends the session. */
export const signOut = rpc('people.signOut', {
  ...ofUser,
  whileClosing: true,
  input: z.strictObject({ ...ofSession }),
  output: withCookies(z.object({})),
});

/** Ends all sessions of the user, this one included. */
export const signOutEverywhere = rpc('people.signOutEverywhere', {
  ...ofUser,
  whileClosing: true,
  input: z.strictObject({}),
  output: withCookies(z.object({})),
});

/** Sends a link that sets another password. The answer is the same whether or not the address is known. */
export const requestPasswordReset = rpc('people.requestPasswordReset', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ email: userFields.email }),
  output: z.object({ status: z.literal('reset_sent') }),
  errors: ['sign_in_attempts'],
});

/** Sets the password by the token of a link, and ends all sessions of the user. The user signs in anew. */
export const finishPasswordReset = rpc('people.finishPasswordReset', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ token: linkToken, password: newPassword }),
  output: z.object({ status: z.literal('password_changed') }),
  errors: ['invalid_link', 'common_password'],
});

/** The signed-in user. The session's cookie is renewed when that is due. */
export const getDashboardMe = rpc('people.getDashboardMe', {
  kind: 'read',
  input: z.strictObject({ session: presentedCookie }),
  output: withCookies(dashboardMe),
  errors: ['session_ended'],
});

/** Changes of how a user signs in, and wrong codes after the right password, of which the user is notified: it may be somebody else. */
export const SECURITY_NOTICES = [
  'password_changed',
  'second_factor_added',
  'second_factor_removed',
  'passkey_added',
  'wrong_codes',
] as const;
export type SecurityNotice = (typeof SECURITY_NOTICES)[number];

/** The address, text and token of a link that is to be sent; null when it is not to be sent any more. */
export const issueUserLink = rpc('people.issueUserLink', {
  kind: 'read',
  callers: ['notification'],
  input: z.strictObject({ linkId: z.string() }),
  output: z
    .object({
      email: z.string(),
      locale,
      purpose: z.enum([
        'sign_up',
        'known_address',
        'password_reset',
        'invitation',
        'claim',
        'sign_in',
        ...SECURITY_NOTICES,
      ]),
      /** Null for a known address, whose link leads to the sign-in, and for notices. */
      token: z.string().nullable(),
      /** The account of an invitation or a sign-up. */
      accountName: z.string().nullable(),
    })
    .nullable(),
});

/** Sends the message of a link. Idempotent by `linkId`. */
export const sendUserLink = rpc('notification.sendUserLink', {
  kind: 'write',
  callers: ['people'],
  input: z.strictObject({ accountId: id('acct'), linkId: z.string() }),
  output: z.object({}),
});
