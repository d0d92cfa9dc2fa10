import {
  acceptInvitation,
  addPasskey,
  beginConfirmation,
  beginPasskey,
  beginPasskeySignIn,
  beginTotp,
  changePassword,
  changeRole,
  confirmSession,
  confirmSignUp,
  confirmTotp,
  createInvitation,
  endUserSession,
  finishPasswordReset,
  getDashboardMe,
  listActivity,
  listInvitations,
  listPasskeys,
  listUserSessions,
  listUsers,
  type Operation,
  removeInvitation,
  removePasskey,
  removeTotp,
  removeUser,
  renamePasskey,
  replaceRecoveryCodes,
  requestPasswordReset,
  requestSignInLink,
  signIn,
  signInWithLink,
  signInWithPasskey,
  signInWithRecoveryCode,
  signInWithTotp,
  signOut,
  signOutEverywhere,
  signUp,
  updateDashboardMe,
} from '@swim/contracts';

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
  open('POST /sign-up', signUp, { status: 202 }),
  open('POST /confirm', confirmSignUp, COOKIES),
  open('POST /sign-in', signIn, { ...COOKIES, gives: ['devices'] }),
  open('POST /sign-in/link/request', requestSignInLink, { status: 202 }),
  open('POST /sign-in/link', signInWithLink, COOKIES),
  open('POST /sign-in/totp', signInWithTotp, { ...COOKIES, gives: ['pending'] }),
  open('POST /sign-in/recovery-code', signInWithRecoveryCode, { ...COOKIES, gives: ['pending'] }),
  open('POST /sign-in/passkey/options', beginPasskeySignIn, { gives: ['pending'] }),
  open('POST /sign-in/passkey', signInWithPasskey, { ...COOKIES, gives: ['pending'] }),
  signedIn('POST /sign-out', signOut, { ...COOKIES, gives: ['sessionId'] }),
  signedIn('POST /sign-out-everywhere', signOutEverywhere, COOKIES),
  open('POST /password-reset', requestPasswordReset, { status: 202 }),
  open('POST /password-reset/finish', finishPasswordReset),
  signedIn('GET /me', getDashboardMe, { ...COOKIES, gives: ['session'] }),
  signedIn('POST /confirmation/options', beginConfirmation, { gives: ['session'] }),
  signedIn('POST /confirmation', confirmSession, { ...COOKIES, gives: ['session'] }),
  signedIn('PATCH /me', updateDashboardMe),
  confirmed('PATCH /me/password', changePassword, { ...COOKIES, gives: ['session'] }),
  confirmed('POST /totp', beginTotp),
  confirmed('POST /totp/confirm', confirmTotp, { ...COOKIES, gives: ['session'] }),
  confirmed('DELETE /totp', removeTotp, { ...COOKIES, gives: ['session'] }),
  confirmed('POST /recovery-codes', replaceRecoveryCodes),
  confirmed('POST /passkeys/options', beginPasskey),
  confirmed('POST /passkeys', addPasskey, { ...COOKIES, status: 201, gives: ['session'] }),
  signedIn('GET /passkeys', listPasskeys),
  signedIn('PATCH /passkeys/{passkey_id}', renamePasskey),
  confirmed('DELETE /passkeys/{passkey_id}', removePasskey, { ...COOKIES, gives: ['session'] }),

  signedIn('GET /users', listUsers),
  confirmed('PATCH /users/{user_id}', changeRole),
  confirmed('DELETE /users/{user_id}', removeUser),
  signedIn('GET /invitations', listInvitations),
  confirmed('POST /invitations', createInvitation, { status: 201 }),
  signedIn('DELETE /invitations/{invitation_id}', removeInvitation, { status: 204 }),
  open('POST /invitations/accept', acceptInvitation, COOKIES),
  signedIn('GET /sessions', listUserSessions, { gives: ['sessionId'] }),
  signedIn('DELETE /sessions/{user_session_id}', endUserSession, { status: 204 }),
  signedIn('GET /activity', listActivity),
];
