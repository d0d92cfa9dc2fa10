import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { addsReasons, id, idText, instantText, nameText, notBlank } from '../formats/formats.js';
import { apiObject } from '../formats/object-kinds.js';
import { email, emailText } from '../formats/person.js';
import { rpc } from '../operations/operation.js';
import { principal } from '../operations/principal.js';
import { createMember, member } from './members.js';

/** The most members with which one request makes a family. */
const MOST_MEMBERS = 50;

const externalId = nameText(200).meta({ description: 'Id of the school for it, unique among those of the school' });
const externalIdText = z.string().nullable().meta({ description: 'Id of the school for it; null without one' });

const newMember = createMember.input.omit({ account_id: true }).extend({ external_id: externalId.optional() });
export type NewFamilyMember = z.output<typeof newMember>;

/** A family that its school has made, with its members. */
export const newFamily = apiObject('new_family', {
  account_id: idText('acct').meta({ description: 'The account of the family' }),
  connection_id: idText('con').meta({ description: 'Its connection with the school, which names the members' }),
  name: z.string(),
  email: emailText,
  locale,
  claimed: z.boolean().meta({ description: 'Whether somebody of the family owns the account' }),
  external_id: externalIdText,
  member_ids: z.array(idText('mem')).meta({ description: 'The members, in the order of the request' }),
  members: z.array(member.extend({ external_id: externalIdText })),
  created_at: instantText,
});
export type NewFamily = z.output<typeof newFamily>;

/**
 * Makes an account that nobody has claimed, with its members and an active connection with the school, whether or not its address has
 * another account.
 */
export const createFamily = rpc('people.createFamily', {
  summary: 'Make a family',
  description:
    'Makes an account for a family of the school, always a new one: the answer says nothing about its address. Until somebody of the family claims it, the school may do for it what a family may, but for API keys.',
  kind: 'write',
  reveals: 'members:medical',
  input: z.strictObject({
    name: notBlank(200),
    email,
    locale: locale.optional().meta({ description: 'Language of e-mails to it; by default that of the school' }),
    external_id: externalId.optional(),
    members: z
      .array(newMember)
      .min(1, { error: 'too_short' })
      .max(MOST_MEMBERS, { error: 'too_long', abort: true })
      .superRefine((members, context) => {
        const ids = members.map(({ external_id }) => external_id);
        const repeated = ids.findIndex((external, index) => external !== undefined && ids.indexOf(external) < index);
        if (repeated !== -1)
          context.addIssue({ code: 'custom', path: [repeated, 'external_id'], message: 'duplicate_value' });
      })
      .meta(addsReasons('duplicate_value')),
  }),
  output: newFamily,
  errors: [
    'school_only',
    'missing_scope',
    'not_in_past',
    'out_of_range',
    'invalid_phone',
    'already_exists',
    'change_in_progress',
    'resource_not_found',
  ],
});

const ofFamily = z.strictObject({ account_id: id('acct').meta({ description: 'The account of the family' }) });

/**
 * Mails a link to the address of an account that nobody has claimed; a later one ends the one before. 20 a day until a family of the school
 * has claimed its account, then 500.
 */
export const inviteFamily = rpc('people.inviteFamily', {
  summary: 'Invite a family',
  description:
    'Mails a link to the address of a family that the school has made: who opens it sets a password, or adds the account to those of its user, and owns it from then on. A later link ends the one before. At most 20 a day, and 500 once a family has claimed its account; to one address at most 5 a day. The sandbox sends no mail: claim the account there instead.',
  kind: 'write',
  input: ofFamily,
  output: z.object({
    account_id: idText('acct'),
    expires_at: instantText.meta({ description: 'Until when the link is valid' }),
  }),
  errors: ['school_only', 'resource_not_found', 'invalid_state', 'limit_reached'],
});

/** Claims an account in the sandbox, in place of the mail and its page. */
export const claimSandboxFamily = rpc('people.claimFamily', {
  summary: 'Claim a family in the sandbox',
  description:
    'Claims the account of a family that the school has made, as its owner would by the link of a mail: from then on the school has the rights of a connection. Answers a key of the family, once.',
  kind: 'write',
  input: ofFamily,
  output: z.object({
    account_id: idText('acct'),
    key: z
      .string()
      .nullable()
      .meta({ description: 'What to send as the Bearer token of the family. Shown this once; null in a dry run' }),
  }),
  errors: ['unknown_route', 'school_only', 'resource_not_found', 'invalid_state'],
});

/**
 * The principal with which the requesting school acts for an account that it has made and that nobody has claimed; null where it may not.
 */
export const findActing = rpc('people.findActing', {
  kind: 'read',
  callers: ['gateway', 'booking', 'notification', 'payment', 'scheduling'],
  input: z.strictObject({ accountId: id('acct') }),
  output: z.object({ principal: principal.nullable() }),
});
