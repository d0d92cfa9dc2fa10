import { z } from 'zod';
import { id, idText } from '../formats/formats.js';
import { paging, severalIds } from '../formats/list-query.js';
import { rpc } from '../operations/operation.js';
import { accountKind } from '../operations/principal.js';
import { dashboardMe, linkToken, presentedCookie, role, withCookies } from './dashboard-users.js';

const ofSession = { session: presentedCookie };

/** An account of the signed-in user. */
export const ownAccount = z.object({
  id: idText('acct'),
  name: z.string(),
  kind: accountKind,
  role,
  /** Whether the session is bound to it. */
  is_current: z.boolean(),
});
export type OwnAccount = z.output<typeof ownAccount>;

/** The accounts of the signed-in user that are not erased, with a role in each. */
export const listMyAccounts = rpc('people.listMyAccounts', {
  kind: 'list',
  input: z.strictObject({ ...paging }),
  output: ownAccount,
  errors: ['session_ended'],
});

/** The names of schools of both environments by their ids. Accounts that are no schools, or erased, are left out. */
export const listSchoolNames = rpc('people.listSchoolNames', {
  kind: 'list',
  input: z.strictObject({ ids: severalIds('acct'), ...paging }),
  output: z.object({ id: idText('acct'), name: z.string() }),
});

/** Binds the session to another account of its user: the answer sets another cookie. The next sign-in leads to that account. */
export const switchAccount = rpc('people.switchAccount', {
  kind: 'write',
  whileClosing: true,
  input: z.strictObject({ ...ofSession, account_id: id('acct') }),
  output: withCookies(dashboardMe),
  errors: ['session_ended', 'resource_not_found', 'change_in_progress'],
});

/**
 * Adds the account of an invitation to those of the signed-in user, whom it was sent to, and switches to it. A user who belongs to it keeps
 * the role.
 */
export const joinAccount = rpc('people.joinAccount', {
  kind: 'write',
  whileClosing: true,
  isIsolated: true,
  input: z.strictObject({ ...ofSession, token: linkToken }),
  output: withCookies(dashboardMe),
  errors: ['session_ended', 'invalid_link', 'wrong_recipient', 'limit_reached', 'change_in_progress'],
});
