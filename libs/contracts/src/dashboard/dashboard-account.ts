import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { MOST_RECORDED } from '../accounts/request-log.js';
import { id, idText, instantText, notBlank } from '../formats/formats.js';
import { listQuery, paging } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { emailText } from '../formats/person.js';
import { rpc } from '../operations/operation.js';
import { ownList } from '../operations/own-list.js';
import {
  dashboardMe,
  linkToken,
  newPassword,
  ofSession,
  presentedCookie,
  role,
  userFields,
  withCookies,
} from './dashboard-users.js';

const ofUser = { kind: 'write' } as const;
const listed = { kind: 'list' } as const;
// The session's user may have been removed since the gateway verified the session.
const ENDED = 'session_ended';

/** Changes the signed-in user. */
export const updateDashboardMe = rpc('people.updateDashboardMe', {
  ...ofUser,
  input: z
    .strictObject({ name: notBlank(200).optional(), locale: locale.optional() })
    .refine((changes) => Object.keys(changes).length > 0, { error: 'empty_patch' }),
  output: dashboardMe,
  errors: [ENDED, 'change_in_progress'],
});

/** Changes the password of the signed-in user: all other sessions end, and this one gets another cookie. */
export const changePassword = rpc('people.changePassword', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ session: presentedCookie, password: newPassword }),
  output: withCookies(z.object({})),
  errors: [ENDED, 'common_password', 'change_in_progress'],
});

const ofInstructor = z
  .string()
  .nullable()
  .meta({ description: 'The instructor that a user of the role `instructor` is; null for any other role' });

/** A user of the account. */
export const dashboardUser = apiObject('user', {
  id: idText('usr'),
  name: z.string().meta({ description: 'Name of the user' }),
  email: emailText.meta({ description: 'Address by which the user signs in' }),
  role: role.meta({ description: 'What the user may do in the dashboard' }),
  instructor_id: ofInstructor,
  locale,
  second_factor: z.boolean().meta({ description: 'Whether a sign-in needs a second factor' }),
  created_at: instantText,
});
export type DashboardUser = z.output<typeof dashboardUser>;

/** The users of the account, newest first: for owners and admins. */
export const listUsers = rpc('people.listUsers', {
  ...listed,
  input: listQuery({}),
  output: dashboardUser,
  errors: [ENDED, 'missing_role'],
});

/** An active key that a user has made. */
const keyOfUser = z.object({
  id: z.string(),
  name: z.string(),
  last4: z.string(),
  environment: z.enum(['live', 'sandbox']),
});
export type KeyOfUser = z.output<typeof keyOfUser>;

/**
 * Changes the role of a user: for owners. The last owner stays one; an instructor is invited as such. One that allows less withdraws the user's invitations, and the
 * answer lists the keys that the user has made, which go on.
 */
export const changeRole = rpc('people.changeRole', {
  ...ofUser,
  input: z.strictObject({ user_id: id('usr'), role: role.exclude(['instructor']) }),
  output: dashboardUser.extend({ keys: z.array(keyOfUser) }),
  errors: [ENDED, 'missing_role', 'resource_not_found', 'invalid_value', 'last_owner', 'change_in_progress'],
});

/**
 * Removes a user with all sessions and invitations: for owners, and for the user itself. The last owner stays. The answer lists the
 * keys that the user has made, which go on.
 */
export const removeUser = rpc('people.removeUser', {
  ...ofUser,
  input: z.strictObject({ user_id: id('usr') }),
  output: z.object({ keys: z.array(keyOfUser) }),
  errors: [ENDED, 'missing_role', 'resource_not_found', 'last_owner'],
});

/** An invitation that was not accepted yet. */
export const invitation = apiObject('invitation', {
  id: idText('inv'),
  email: emailText.meta({ description: 'Address that the invitation was sent to' }),
  role: role.meta({ description: 'What the user will be allowed to do in the dashboard' }),
  instructor_id: ofInstructor,
  invited_by: z.string().meta({ description: 'The user who sent it' }),
  expires_at: instantText.meta({ description: 'When its link ends' }),
  created_at: instantText,
});
export type Invitation = z.output<typeof invitation>;

/** The account's open invitations, newest first: for owners and admins. */
export const listInvitations = rpc('people.listInvitations', {
  ...listed,
  input: listQuery({}),
  output: invitation,
  errors: [ENDED, 'missing_role'],
});

/**
 * Invites somebody by e-mail: owners with any role, admins with one that allows less than theirs. A guardian is of a family; an instructor is one
 * of the school's, which `instructor_id` names. The link is valid for seven days. At most 100
 * users and open invitations an account, and 20 invitations a day until one is accepted, then 500.
 */
export const createInvitation = rpc('people.createInvitation', {
  ...ofUser,
  input: z
    .strictObject({ email: userFields.email, role, instructor_id: id('ins').optional() })
    .refine((sent) => sent.role !== 'instructor' || sent.instructor_id, { error: 'required', path: ['instructor_id'] })
    .refine((sent) => sent.role === 'instructor' || !sent.instructor_id, {
      error: 'unknown_field',
      path: ['instructor_id'],
    }),
  output: invitation,
  errors: [ENDED, 'missing_role', 'invalid_value', 'not_found', 'limit_reached', 'sign_in_attempts'],
});

/** Ends an invitation: its link is valid no longer. */
export const removeInvitation = rpc('people.removeInvitation', {
  ...ofUser,
  input: z.strictObject({ invitation_id: id('inv') }),
  output: z.object({}),
  errors: [ENDED, 'missing_role', 'resource_not_found'],
});

/**
 * Makes the user of an invitation, with the address that it was sent to, and signs the user in. `invalid_link` where the inviter is
 * gone, or may not give that role any more.
 */
export const acceptInvitation = rpc('people.acceptInvitation', {
  ...ofUser,
  isIsolated: true,
  input: z.strictObject({ token: linkToken, name: userFields.name, password: newPassword }),
  output: withCookies(dashboardMe),
  errors: ['invalid_link', 'user_exists', 'common_password'],
});

/** A session of the signed-in user. */
export const userSession = z.object({
  id: idText('uss'),
  is_current: z.boolean(),
  network: z.string().nullable(),
  created_at: instantText,
  last_used_at: instantText,
  expires_at: instantText,
});
export type UserSession = z.output<typeof userSession>;

/** The active sessions of the signed-in user, newest first. */
export const listUserSessions = rpc('people.listUserSessions', {
  ...listed,
  input: z.strictObject({ ...ofSession, ...paging }),
  output: userSession,
});

/** Ends a session of the signed-in user. */
export const endUserSession = rpc('people.endUserSession', {
  ...ofUser,
  whileClosing: true,
  input: z.strictObject({ user_session_id: id('uss') }),
  output: z.object({}),
  errors: ['resource_not_found'],
});

/** What a user did. */
export const activityEntry = z.object({
  id: idText('act'),
  at: instantText.meta({ description: 'When it was done' }),
  user_id: idText('usr').meta({ description: 'The user who did it' }),
  user_name: z.string().nullable().meta({ description: 'Name of the user; null once the user is removed' }),
  action: z
    .string()
    .meta({ description: 'What was done: `signed_in`, or method and pattern of a request as `POST /v1/bookings`' }),
  object: z.string().nullable().meta({ description: 'Id of what it was done to; null where that is the user' }),
  address_network: z.string().nullable().meta({ description: 'Network of the user: a /24 or /64' }),
  environment: z
    .enum(['live', 'sandbox'])
    .nullable()
    .meta({ description: 'Where it was done; null for what belongs to neither' }),
});
export type ActivityEntry = z.output<typeof activityEntry>;

/** A write of a user by a public route, as a gateway hands it over. The id has the time of the answer (UUIDv7). */
const recordedAction = z.strictObject({
  id: id('act'),
  account_id: id('acct'),
  user_id: id('usr'),
  action: z.string(),
  object: z.string().nullable(),
  network: z.string(),
});
export type RecordedAction = z.output<typeof recordedAction>;

/** Stores what users changed by public routes, in the environment of the request. Idempotent by the ids of the entries. */
export const recordUserActions = rpc('people.recordUserActions', {
  ...ofUser,
  input: z.strictObject({ userActions: z.array(recordedAction).min(1).max(MOST_RECORDED) }),
  output: z.object({}),
  isIsolated: true,
});

/** What the account's users did within the last 365 days, newest first: for owners and admins. */
export const listActivity = rpc('people.listActivity', {
  ...listed,
  input: listQuery({}),
  output: activityEntry,
  errors: [ENDED, 'missing_role'],
});

/** No users in the sandbox, since they belong to neither environment. */
export const listOwnUsers = ownList('people.listOwnUsers', dashboardUser);
export const listOwnInvitations = ownList('people.listOwnInvitations', invitation);
export const listOwnActivity = ownList('people.listOwnActivity', activityEntry);
