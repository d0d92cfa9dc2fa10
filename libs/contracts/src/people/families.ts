import { z } from 'zod';
import { id, idText, instantText } from '../formats/formats.js';
import { flag, listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { emailText, searchText } from '../formats/person.js';
import { rpc } from '../operations/operation.js';

const due = z.object({
  currency: z.string(),
  cents: z.int().meta({ description: 'What is due on bookings with the school, in minor units' }),
  overdue_cents: z.int().meta({ description: 'What of it is for lessons that have begun, and for fees' }),
});

/** An account as the school knows it with which it has a connection. */
export const family = apiObject('family', {
  account_id: idText('acct').meta({ description: 'The account of the family' }),
  name: z.string().nullable().meta({ description: 'Name of the account; null once it is erased' }),
  email: emailText.nullable().meta({ description: 'E-mail address of the account; null once it is erased' }),
  claimed: z.boolean().meta({ description: 'Whether somebody of the family owns the account' }),
  member_ids: z.array(idText('mem')).meta({ description: 'The members that its connection with the school names' }),
  due: z
    .array(due)
    .nullable()
    .meta({ description: 'By currency; empty where nothing is due, null to a key without the scope `payments:read`' }),
  oldest_due_at: instantText.nullable().meta({
    description:
      'Since when the oldest part is overdue: the start of the lesson, or when a fee arose. Payments cover the oldest first. Null while nothing is overdue, and without the scope `payments:read`',
  }),
});
export type Family = z.output<typeof family>;

const consent = z.object({
  booking_id: idText('bkg'),
  currency: z.string(),
  agreed_cents: z
    .int()
    .meta({ description: 'What the family has agreed to be charged for the booking, with its fees' }),
  used_cents: z.int().meta({ description: 'What is paid of it, or being paid' }),
  left_cents: z.int().meta({ description: 'What the school may still charge without the family' }),
});

/** A family alone, with what a list leaves out. */
export const familyDetails = family.extend({
  invited_at: instantText.nullable().meta({
    description: 'When the school last invited it to claim the account; null where it never did',
  }),
  claimed_at: instantText.nullable().meta({
    description: 'When it claimed the account that the school made; null for any other account',
  }),
  consents: z.array(consent).nullable().meta({
    description:
      'For the bookings on which something is due and which the family lets the school charge, at most 100; null to a key without the scope `payments:read`',
  }),
});
export type FamilyDetails = z.output<typeof familyDetails>;

export const getFamily = rpc('people.getFamily', {
  summary: 'Get a family',
  description:
    'A family of `GET /families`, with what it owes, when it was invited and claimed its account, and what it lets the school charge.',
  kind: 'read',
  reveals: 'payments:read',
  input: z.strictObject({ account_id: id('acct') }),
  output: familyDetails,
  errors: ['school_only', 'resource_not_found'],
});

export const listFamilies = rpc('people.listFamilies', {
  summary: 'List families',
  description:
    'The accounts with an active connection to the school, newest first, and what they owe it. One whose connection has ended stays as long as it owes. `due=true`, for which a key needs the scope `payments:read` too, lists only those that owe.',
  kind: 'list',
  reveals: 'payments:read',
  input: listQuery({
    search: searchText.optional().meta({
      description: 'Beginning of any word of name or e-mail, whatever its case and accents; taken literally',
    }),
    due: flag.optional().meta({ description: 'Only those that owe the school something' }),
  }),
  output: family,
  errors: ['school_only', 'missing_scope'],
});
