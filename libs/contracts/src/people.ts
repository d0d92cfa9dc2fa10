import { z } from 'zod';
import { event } from './event.js';
import { calendarDate, id, listQuery, patch, text } from './formats.js';
import { INSTRUCTOR_STATUSES } from './instructors.js';
import { rpc } from './operation.js';
import { notBlank, phone, searchText, swimmingLevel } from './person.js';
import { accountKind, principal } from './principal.js';
import { availabilitySchedule } from './schedule.js';

export const SKILL_STATUSES = ['not_started', 'introduced', 'developing', 'mastered'] as const;
export type SkillStatus = (typeof SKILL_STATUSES)[number];

// ---- accounts and access

/** The rules of a school that govern all who book with it (contract, Accounts). Percentages are whole, 0 to 100. */
export const policies = z.object({
  free_cancellation_hours: z.int(),
  late_fee_percent: z.int(),
  no_show_fee_percent: z.int(),
  require_prepayment: z.boolean(),
  enforce_availability: z.boolean(),
  makeup_credits: z.boolean(),
  progress_visible: z.boolean(),
});
export type Policies = z.output<typeof policies>;

/** An account as every operation answers it; `policies` is null unless it is a school. */
export const account = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  kind: accountKind,
  timezone: z.string(),
  currency: z.string(),
  policies: policies.nullable(),
  created_at: z.string(),
});
export type Account = z.output<typeof account>;

export const getAccount = rpc('people.getAccount', {
  kind: 'read',
  input: z.strictObject({ account_id: id('acct') }),
  output: account,
  errors: ['foreign_account', 'resource_not_found'],
});

/**
 * Whom a well-formed key speaks for. `secret` is what `parseApiKey` reads; an unknown id and a wrong secret answer the
 * same. `expiresAt` is ISO 8601 UTC, null for never; an empty `ipAllowlist` allows every address.
 */
export const verifyKey = rpc('people.verifyKey', {
  kind: 'read',
  input: z.strictObject({ keyId: id('key'), secret: z.string().max(100), env: z.enum(['live', 'test']) }),
  output: z.object({ principal, expiresAt: z.string().nullable(), ipAllowlist: z.array(z.string()) }),
  errors: ['unknown_key', 'expired_key', 'revoked_key'],
});

// ---- members

const emergencyContact = z.object({ name: z.string(), phone: z.string(), relationship: z.string() });
export type EmergencyContact = z.output<typeof emergencyContact>;

/** A member as every operation answers it; `medical_notes` is null to a key without the scope `members:medical`. */
export const member = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  date_of_birth: z.string(),
  swimming_level: swimmingLevel,
  medical_notes: z.string().nullable(),
  emergency_contact: emergencyContact.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Member = z.output<typeof member>;

/** What subscribers see of a member: nothing personal. */
const memberObject = member.pick({
  id: true,
  account_id: true,
  swimming_level: true,
  created_at: true,
  updated_at: true,
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
  .transform((contact) => contact as EmergencyContact);

const memberFields = {
  name: notBlank(200),
  date_of_birth: calendarDate,
  swimming_level: swimmingLevel,
  medical_notes: text(5000).nullable(),
  emergency_contact: contactInput.nullable(),
};

export const createMember = rpc('people.createMember', {
  kind: 'write',
  input: z.strictObject({
    account_id: id('acct'),
    ...memberFields,
    swimming_level: swimmingLevel.default('beginner'),
    medical_notes: memberFields.medical_notes.optional(),
    emergency_contact: memberFields.emergency_contact.optional(),
  }),
  output: member,
  errors: ['foreign_account', 'not_in_past', 'out_of_range', 'invalid_phone'],
});

const ofMember = z.strictObject({ member_id: id('mem') });

export const getMember = rpc('people.getMember', {
  kind: 'read',
  input: ofMember,
  output: member,
  errors: ['resource_not_found'],
});

/** The account's own members. */
export const listMembers = rpc('people.listMembers', {
  kind: 'list',
  input: listQuery({ account_id: id('acct'), search: searchText.optional(), swimming_level: swimmingLevel.optional() }),
  output: member,
  errors: ['foreign_account'],
});

/** By the member's own account only: a school that may read the member is refused with `foreign_account`. */
export const updateMember = rpc('people.updateMember', {
  kind: 'write',
  input: z.strictObject({ member_id: id('mem'), changes: patch(memberFields) }),
  output: member,
  errors: [
    'resource_not_found',
    'foreign_account',
    'not_in_past',
    'out_of_range',
    'invalid_phone',
    'change_in_progress',
  ],
});
export type MemberChanges = z.output<typeof updateMember.input>['changes'];

const skill = z.object({
  code: z.string(),
  name: z.string(),
  level: swimmingLevel,
  status: z.enum(SKILL_STATUSES),
  assessed_at: z.string().nullable(),
  assessed_by: z.string().nullable(),
});

/** Skills of the member's level and of every other level in which one was assessed. `percent_complete` is of the level, whole. */
export const progress = z.object({
  member_id: z.string(),
  swimming_level: swimmingLevel,
  next_level: swimmingLevel.nullable(),
  percent_complete: z.int(),
  skills: z.array(skill),
  sessions_completed: z.int(),
  attendance_rate: z.number().nullable(),
  level_history: z.array(z.object({ level: swimmingLevel, reached_at: z.string() })),
});
export type Progress = z.output<typeof progress>;

export const getMemberProgress = rpc('people.getMemberProgress', {
  kind: 'read',
  input: ofMember,
  output: progress,
  errors: ['resource_not_found'],
});

// ---- for other services

/**
 * Everything a booking needs to know of an instructor and members, asked in the name of the caller: null for what does
 * not exist or the caller may not use, members in the order asked. A member may be used by its own account and by a
 * school that may read it. `version` is that of the instructor.
 */
export const describeParty = rpc('people.describeParty', {
  kind: 'read',
  input: z.strictObject({ instructorId: id('ins'), memberIds: z.array(id('mem')).max(20) }),
  output: z.object({
    instructor: z
      .object({
        id: z.string(),
        schoolId: z.string(),
        name: z.string(),
        status: z.enum(INSTRUCTOR_STATUSES),
        timezone: z.string(),
        schedule: availabilitySchedule,
        hourlyRateCents: z.int(),
        currency: z.string(),
        maxGroupSize: z.int(),
        defaultPoolId: z.string().nullable(),
        version: z.int(),
      })
      .nullable(),
    policies: z
      .object({
        freeCancellationHours: z.int(),
        lateFeePercent: z.int(),
        noShowFeePercent: z.int(),
        requirePrepayment: z.boolean(),
        enforceAvailability: z.boolean(),
        makeupCredits: z.boolean(),
        progressVisible: z.boolean(),
      })
      .nullable(),
    members: z.array(z.object({ id: z.string(), accountId: z.string() }).nullable()),
  }),
});
export type Party = z.output<typeof describeParty.output>;

export const memberCreated = event('people', 'member.created', memberObject);
export const memberUpdated = event('people', 'member.updated', memberObject);
