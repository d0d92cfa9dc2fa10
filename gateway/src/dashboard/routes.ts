import type { Operation } from '@swim/contracts';
import * as api from '@swim/contracts';

/** Root of the dashboard's own routes: users and their sign-in. Data are read and written by the routes of the API. */
const DASHBOARD_PATH = '/dashboard/api';

/** A member of an operation's input that the gateway sets, and no client. */
export type GivenInput =
  /** The id of the session. */
  | 'sessionId'
  /** The cookie of the session. */
  | 'session'
  /** The cookie of a sign-in that waits for a second factor; absent without one. */
  | 'pending'
  /** The tokens of the browser, by which it is known. */
  | 'devices';

/** One row of the dashboard's own routes. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operation: Operation;
  readonly status: 200 | 201 | 202 | 204;
  /** Whether it needs a signed-in user. */
  readonly needsSession: boolean;
  /** Whether the answer sets cookies: `withCookies` in the contract. */
  readonly setsCookies: boolean;
  readonly gives: readonly GivenInput[];
  /** Whether it needs a session that was confirmed within ten minutes. */
  readonly needsConfirmation?: true;
}

type Options = Partial<Pick<DashboardRoute, 'status' | 'setsCookies' | 'gives'>>;

function row(line: string, operation: Operation, needsSession: boolean, options: Options): DashboardRoute {
  const [method, path] = line.split(' ') as [DashboardRoute['method'], string];
  const defaults = { status: 200, setsCookies: false, gives: [] } as const;
  return { method, path: DASHBOARD_PATH + path, operation, needsSession, ...defaults, ...options };
}

const open = (line: string, operation: Operation, options: Options = {}) => row(line, operation, false, options);
const signedIn = (line: string, operation: Operation, options: Options = {}) => row(line, operation, true, options);
/** A route that needs a confirmed session: it changes users, roles or credentials. */
const confirmed = (line: string, operation: Operation, options: Options = {}) => ({
  ...signedIn(line, operation, options),
  needsConfirmation: true as const,
});
const COOKIES = { setsCookies: true } as const;

/** The dashboard's own routes. They are no part of the public API: they change with the dashboard, which a release contains. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  open('POST /sign-up', api.signUp, { status: 202 }),
  open('POST /confirm', api.confirmSignUp, COOKIES),
  open('POST /sign-in', api.signIn, { ...COOKIES, gives: ['devices'] }),
  open('POST /sign-in/link/request', api.requestSignInLink, { status: 202 }),
  open('POST /sign-in/link', api.signInWithLink, COOKIES),
  open('POST /sign-in/totp', api.signInWithTotp, { ...COOKIES, gives: ['pending'] }),
  open('POST /sign-in/recovery-code', api.signInWithRecoveryCode, { ...COOKIES, gives: ['pending'] }),
  open('POST /sign-in/passkey/options', api.beginPasskeySignIn, { gives: ['pending'] }),
  open('POST /sign-in/passkey', api.signInWithPasskey, { ...COOKIES, gives: ['pending'] }),
  signedIn('POST /sign-out', api.signOut, { ...COOKIES, gives: ['sessionId'] }),
  signedIn('POST /sign-out-everywhere', api.signOutEverywhere, COOKIES),
  open('POST /password-reset', api.requestPasswordReset, { status: 202 }),
  open('POST /password-reset/finish', api.finishPasswordReset),
  signedIn('GET /me', api.getDashboardMe, { ...COOKIES, gives: ['session'] }),
  signedIn('POST /confirmation/options', api.beginConfirmation, { gives: ['session'] }),
  signedIn('POST /confirmation', api.confirmSession, { ...COOKIES, gives: ['session'] }),
  signedIn('PATCH /me', api.updateDashboardMe),
  confirmed('PATCH /me/password', api.changePassword, { ...COOKIES, gives: ['session'] }),
  confirmed('POST /totp', api.beginTotp),
  confirmed('POST /totp/confirm', api.confirmTotp, { ...COOKIES, gives: ['session'] }),
  confirmed('DELETE /totp', api.removeTotp, { ...COOKIES, gives: ['session'] }),
  confirmed('POST /recovery-codes', api.replaceRecoveryCodes),
  confirmed('POST /passkeys/options', api.beginPasskey),
  confirmed('POST /passkeys', api.addPasskey, { ...COOKIES, status: 201, gives: ['session'] }),
  signedIn('GET /passkeys', api.listPasskeys),
  signedIn('PATCH /passkeys/{passkey_id}', api.renamePasskey),
  confirmed('DELETE /passkeys/{passkey_id}', api.removePasskey, { ...COOKIES, gives: ['session'] }),
  signedIn('GET /accounts', api.listMyAccounts),
  signedIn('GET /schools', api.listSchoolNames),
  signedIn('POST /accounts/switch', api.switchAccount, { ...COOKIES, gives: ['session'] }),

  signedIn('GET /users', api.listUsers),
  confirmed('PATCH /users/{user_id}', api.changeRole),
  confirmed('DELETE /users/{user_id}', api.removeUser),
  signedIn('GET /invitations', api.listInvitations),
  confirmed('POST /invitations', api.createInvitation, { status: 201 }),
  signedIn('DELETE /invitations/{invitation_id}', api.removeInvitation, { status: 204 }),
  open('POST /invitations/accept', api.acceptInvitation, COOKIES),
  signedIn('POST /invitations/join', api.joinAccount, { ...COOKIES, gives: ['session'] }),
  signedIn('GET /sessions', api.listUserSessions, { gives: ['sessionId'] }),
  signedIn('DELETE /sessions/{user_session_id}', api.endUserSession, { status: 204 }),
  signedIn('GET /activity', api.listActivity),
];
