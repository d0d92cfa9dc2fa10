import {
  acceptInvitation,
  createFamily,
  findActing,
  inviteFamily,
  joinAccount,
  type NewFamily,
  type Principal,
} from '@swim/contracts';
import { aPrincipal, rejectionOf } from '@swim/testing';
import { openAccounts } from '../harness.js';
import { call, users } from '../shared-users.js';
import { PASSWORD, type SignedIn } from '../user-harness.js';

export const reasonOf = async (work: Promise<unknown>) => (await rejectionOf(work)).reason;
export const KID = { name: 'Kim', date_of_birth: '2017-05-04' };

/** A school with its account. */
export async function aSchool(env: 'live' | 'test' = 'live'): Promise<Principal> {
  const school = aPrincipal({ kind: 'school', env });
  await openAccounts(users.people.service, [school]);
  return school;
}

/** A family, with the school that has made it. */
export interface Made extends NewFamily {
  school: Principal;
}

/** A family that nobody has claimed, of a new school unless one is given. */
export async function aFamily(email = users.anAddress(), school?: Principal): Promise<Made> {
  const principal = school ?? (await aSchool());
  const family = { name: 'The Kims', email, members: [KID] };
  return { ...(await call(createFamily, family, { principal })), school: principal };
}

export const invite = (
  { account_id, school }: Pick<Made, 'account_id' | 'school'>,
  options: { dryRun?: boolean } = {},
) => call(inviteFamily, { account_id }, { principal: school, ...options });
/** The token of the mail that invites a family. */
export async function linkTo(family: Made): Promise<string> {
  await invite(family);
  return users.tokenTo(family.email, 'claim');
}
export const accept = (token: string, password = PASSWORD) =>
  call(acceptInvitation, { token, name: 'Ann Kim', password });
export const join = (token: string, who: SignedIn) => call(joinAccount, { token, session: who.cookie }, who);
/** The principal with which the school acts for a family; null where it may not. */
export const acting = async ({ account_id: accountId, school: principal }: Made) =>
  (await call(findActing, { accountId }, { principal })).principal;
export const accounts = (env = 'live') =>
  users.people.harness.database(`people_${env}`).collection<{ _id: string }>('accounts');
