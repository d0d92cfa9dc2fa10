import { z } from 'zod';
import { rpc } from '../operations/operation.js';
import { passkeyAssertion, passkeyOptions } from './dashboard-passkeys.js';
import { signInResult } from './dashboard-sign-in.js';
import { presentedCookie, presentedPassword, withCookies } from './dashboard-users.js';

/** The second step of a sign-in; absent where no cookie names one. */
const pending = presentedCookie.optional();
const recoveryCode = z.string().min(1, { error: 'too_short' }).max(40, { error: 'too_long', abort: true });
const totpCode = z.string().regex(/^\d{6}$/, { error: 'invalid_format' });

const ofUser = { kind: 'write' } as const;
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
  input: z.strictObject({ pending, code: recoveryCode }),
});

const ofOwn = [ENDED, 'change_in_progress'] as const;

/** Makes the secret of an authenticator app; it counts once a code confirms it. `invalid_state` when there is an app already. */
export const beginTotp = rpc('people.beginTotp', {
  ...ofUser,
  input: z.strictObject({}),
  output: z.object({ secret: z.string(), otpauth_url: z.string() }),
  errors: [...ofOwn, 'invalid_state'],
});

/** Confirms the authenticator app by a code, and returns recovery codes, which are shown once. All other sessions end. */
export const confirmTotp = rpc('people.confirmTotp', {
  ...ofUser,
  input: z.strictObject({ session: presentedCookie, code: totpCode }),
  output: withCookies(z.object({ recovery_codes: z.array(z.string()) })),
  errors: [...ofOwn, 'invalid_state', 'wrong_code', 'sign_in_attempts'],
});

/** Removes the authenticator app with its recovery codes. All other sessions end. */
export const removeTotp = rpc('people.removeTotp', {
  ...ofUser,
  input: z.strictObject({ session: presentedCookie }),
  output: withCookies(z.object({})),
  errors: ofOwn,
});

/** Makes recovery codes in place of the former ones. `invalid_state` without an authenticator app. */
export const replaceRecoveryCodes = rpc('people.replaceRecoveryCodes', {
  ...ofUser,
  input: z.strictObject({}),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: [...ofOwn, 'invalid_state'],
});

/** Options for a signature that confirms a session. `invalid_state` for a user without passkeys. */
export const beginConfirmation = rpc('people.beginConfirmation', {
  ...ofUser,
  whileClosing: true,
  input: z.strictObject({ session: presentedCookie }),
  output: passkeyOptions,
  errors: [ENDED, 'invalid_state'],
});

/**
 * Confirms a session by the password, a code (of the app, or for recovery) or the signature of a passkey: for ten minutes it may do
 * what a cookie alone may not. It gets another cookie. Tries are counted as those of a browser that the user has signed in with.
 */
export const confirmSession = rpc('people.confirmSession', {
  ...ofUser,
  whileClosing: true,
  isIsolated: true,
  input: z
    .strictObject({
      session: presentedCookie,
      password: presentedPassword.optional(),
      code: recoveryCode.optional(),
      response: passkeyAssertion.optional(),
    })
    .refine(({ password, code, response }) => password ?? code ?? response, { path: ['password'], error: 'required' }),
  output: withCookies(z.object({})),
  errors: [...ofOwn, 'wrong_password', 'wrong_code', 'wrong_passkey', 'second_factor_locked', 'sign_in_attempts'],
});
