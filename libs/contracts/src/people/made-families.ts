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
  ],
});

/**
 * The principal with which the requesting school acts for an account that it has made and that nobody has claimed; null where it may not.
 */
export const findActing = rpc('people.findActing', {
  kind: 'read',
  callers: ['gateway', 'booking', 'payment', 'scheduling'],
  input: z.strictObject({ accountId: id('acct') }),
  output: z.object({ principal: principal.nullable() }),
});
