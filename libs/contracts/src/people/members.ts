import { z } from 'zod';
import {
  addsReasons,
  calendarDate,
  dateText,
  id,
  idText,
  instantText,
  notBlank,
  patch,
  text,
} from '../formats/formats.js';
import { changingFilters, listQuery, metadataFilter } from '../formats/list-query.js';
import { metadata, metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { phone, searchText, swimmingLevel } from '../formats/person.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';

export const emergencyContact = z.object({ name: z.string(), phone: z.string(), relationship: z.string() });
export type EmergencyContact = z.output<typeof emergencyContact>;

/** A member as every operation returns it; `medical_notes` is null to a key without the scope `members:medical`. */
export const member = apiObject('member', {
  id: idText('mem'),
  account_id: idText('acct'),
  name: z.string(),
  date_of_birth: dateText,
  swimming_level: swimmingLevel,
  medical_notes: z.string().nullable().meta({ description: 'Null to a key without the scope `members:medical`' }),
  emergency_contact: emergencyContact.nullable(),
  metadata: metadataAnswer.meta({
    description: "Of the client's own account; empty to a school that may read the member",
  }),
  created_at: instantText,
  updated_at: instantText,
});
export type Member = z.output<typeof member>;

/** The object in a member's events: nothing personal. */
export const memberObject = member.omit({
  name: true,
  date_of_birth: true,
  medical_notes: true,
  emergency_contact: true,
  metadata: true,
});
export type MemberObject = z.output<typeof memberObject>;

const CONTACT_PARTS = ['name', 'phone', 'relationship'] as const;

const contactInput = z
  .strictObject({ name: notBlank(200), phone, relationship: notBlank(100) })
  .partial()
  .superRefine((contact, context) => {
    for (const part of CONTACT_PARTS) {
      if (contact[part] === undefined)
        context.addIssue({ code: 'custom', path: [part], message: 'incomplete_contact' });
    }
  })
  .meta({ ...addsReasons('incomplete_contact'), required: [...CONTACT_PARTS] })
  .transform((contact) => contact as EmergencyContact);

const memberFields = {
  name: notBlank(200),
  date_of_birth: calendarDate,
  swimming_level: swimmingLevel,
  medical_notes: text(5000).nullable().meta({
    description: 'Sending it needs the scope `members:medical`, whatever its value; also in a dry run',
  }),
  emergency_contact: contactInput.nullable(),
};

export const createMember = rpc('people.createMember', {
  summary: 'Create a member',
  description: 'Adds a swimmer to the account.',
  kind: 'write',
  reveals: 'members:medical',
  input: z.strictObject({
    account_id: id('acct'),
    ...memberFields,
    swimming_level: swimmingLevel.default('beginner'),
    medical_notes: memberFields.medical_notes.optional(),
    emergency_contact: memberFields.emergency_contact.optional(),
    metadata: metadata.optional(),
  }),
  output: member,
  errors: ['foreign_account', 'missing_scope', 'not_in_past', 'out_of_range', 'invalid_phone'],
});

const ofMember = z.strictObject({ member_id: id('mem') });

export const getMember = rpc('people.getMember', {
  summary: 'Get a member',
  description:
    'Medical notes are answered with the scope `members:medical` alone. The read is recorded in the access log.',
  kind: 'read',
  input: ofMember,
  output: member,
  errors: ['resource_not_found'],
});

/**
 * Members that the account may read, newest first: its own, and for a school also those that an active connection names.
 * `account_id` can only name the caller.
 */
export const listMembers = rpc('people.listMembers', {
  summary: 'List members',
  description:
    'The members that the account may read, newest first: its own, and for a school those that an active connection names.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct').optional(),
    search: searchText.optional(),
    swimming_level: swimmingLevel.optional(),
    ...changingFilters('mem'),
    ...metadataFilter,
  }),
  output: member,
  reveals: 'members:medical',
  errors: ['foreign_account'],
});

/**
 * By the member's own account only: a school that may read the member is rejected with `foreign_account`. Who may not read
 * medical notes may not write them: guessing them, also by dry runs, would read them.
 */
export const updateMember = rpc('people.updateMember', {
  summary: 'Update a member',
  description: 'Changes the fields that are sent. Only the account that has the member may.',
  kind: 'write',
  reads: getMember,
  reveals: 'members:medical',
  input: z.strictObject({ member_id: id('mem'), changes: patch({ ...memberFields, metadata: metadataPatch }) }),
  output: member,
  errors: [
    'resource_not_found',
    'foreign_account',
    'missing_scope',
    'not_in_past',
    'out_of_range',
    'invalid_phone',
    'change_in_progress',
    'too_long',
  ],
});
export type MemberChanges = z.output<typeof updateMember.input>['changes'];

/**
 * Erases a member's personal data for good, by its own account only. What it took part in stays, without a name; its
 * future sessions are cancelled in the name of the account. Afterwards it is `resource_not_found`.
 */
export const eraseMember = rpc('people.eraseMember', {
  summary: 'Erase a member',
  description: 'Deletes personal data for good, and cancels lessons to come. Past lessons stay without a name.',
  kind: 'write',
  input: ofMember,
  output: z.object({}),
  errors: ['resource_not_found', 'foreign_account', 'change_in_progress'],
});

/** All that an event holds of an erased member. */
const erasedObject = apiObject('member', { id: idText('mem'), account_id: idText('acct'), erased_at: instantText });
export type ErasedMember = z.output<typeof erasedObject>;

export const memberCreated = event('people', 'member.created', memberObject);
export const memberUpdated = event('people', 'member.updated', memberObject);
export const memberErased = event('people', 'member.erased', erasedObject);
