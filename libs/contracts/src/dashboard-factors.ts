import { z } from 'zod';
import { signInResult } from './dashboard-sign-in.js';
import { presentedCookie, presentedPassword, withCookies } from './dashboard-users.js';
import { rpc } from './operation.js';

/** The second step of a sign-in; absent where no cookie names one. */
const pending = presentedCookie.optional();
const totpCode = z.string().regex(/^\d{6}$/, { error: 'invalid_format' });

const ofUser = { kind: 'write', callers: ['gateway'] } as const;
// The session's user may have been removed since the gateway verified the session.
const ENDED = 'session_ended';

const completing = {
  ...ofUser,
  isIsolated: true,
  output: withCookies(signInResult),
  errors: ['sign_in_expired', 'second_factor_locked', 'wrong_code', 'change_in_progress'],
} as const;

/** Completes a sign-in by a code of the authenticator app; each code counts once. */
export const signInWithTotp = rpc('people.signInWithTotp', {
  ...completing,
  input: z.strictObject({ pending, code: totpCode }),
});

/** Completes a sign-in by a recovery code, which is used up. */
export const signInWithRecoveryCode = rpc('people.signInWithRecoveryCode', {
  ...completing,
  input: z.strictObject({
    pending,
    code: z.string().min(1, { error: 'too_short' }).max(40, { error: 'too_long', abort: true }),
  }),
});

const byPassword = [ENDED, 'wrong_password', 'sign_in_attempts', 'change_in_progress'] as const;

/**
 * Makes the secret of an authenticator app for the user whose password this is; it counts once a code confirms it.
 * `invalid_state` when there is an app already.
 */
export const beginTotp = rpc('people.beginTotp', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ password: presentedPassword }),
  output: z.object({ secret: z.string(), otpauth_url: z.string() }),
  errors: [...byPassword, 'invalid_state'],
});

/** Confirms the authenticator app by a code, and returns recovery codes, which are shown once. All other sessions end. */
export const confirmTotp = rpc('people.confirmTotp', {
  ...ofUser,
  input: z.strictObject({ session: presentedCookie, code: totpCode }),
  output: withCookies(z.object({ recovery_codes: z.array(z.string()) })),
  errors: [ENDED, 'invalid_state', 'wrong_code', 'sign_in_attempts', 'change_in_progress'],
});

/** Removes the authenticator app with its recovery codes. All other sessions end. */
export const removeTotp = rpc('people.removeTotp', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ session: presentedCookie, password: presentedPassword }),
  output: withCookies(z.object({})),
  errors: byPassword,
});

/** Makes recovery codes in place of the former ones. `invalid_state` without an authenticator app. */
export const replaceRecoveryCodes = rpc('people.replaceRecoveryCodes', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ password: presentedPassword }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: [...byPassword, 'invalid_state'],
});
