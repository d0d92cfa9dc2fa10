import { z } from 'zod';
import { expects, id, idText, instantText, notBlank, patch } from '../formats/formats.js';
import { metadataAnswer, metadataPatch } from '../formats/metadata.js';
import { apiObject } from '../formats/object-kinds.js';
import { email, emailText } from '../formats/person.js';
import { timezone } from '../formats/time-zones.js';
import { rpc } from '../operations/operation.js';
import { accountKind } from '../operations/principal.js';

/** The languages of messages to an account. */
export const LOCALES = ['en', 'de', 'es', 'fr'] as const;
export const locale = z.enum(LOCALES, { error: 'invalid_value' });
export type Locale = z.output<typeof locale>;

/** What the template of a school's link to an offer may name; one of them at least. */
const OFFER_PLACEHOLDERS = ['waitlist_id', 'hold_id', 'instructor_id', 'member_id'] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** The link of a template, with the ids in place of their names. Ids need no encoding. */
export const offerUrl = (
  template: string,
  ids: Readonly<Record<(typeof OFFER_PLACEHOLDERS)[number], string>>,
): string => template.replace(PLACEHOLDER, (_, name: string) => ids[name as keyof typeof ids]);

function isOfferTemplate(text: string): boolean {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  const url = text.replace(PLACEHOLDER, 'x');
  const isKnown = names.every((name) => (OFFER_PLACEHOLDERS as readonly string[]).includes(name));
  return isKnown && names.length > 0 && /^https:\/\/[^\s\p{Cc}<>"]+$/u.test(url) && URL.canParse(url);
}

const offerUrlTemplate = z
  .string()
  .max(500, { error: 'too_long', abort: true })
  .refine(isOfferTemplate, { error: 'invalid_format' })
  .nullable()
  .meta({
    ...expects('an https URL that contains {waitlist_id}, {hold_id}, {instructor_id} or {member_id}, or null'),
    description:
      'Link by which e-mails about an offer of the waitlist lead back to the school: an https URL that contains `{waitlist_id}`, `{hold_id}`, `{instructor_id}` or `{member_id}`',
    examples: ['https://baths.example/offers/{waitlist_id}?hold={hold_id}'],
  });

/** The rules of a school that govern all who book with it (contract, Accounts). Percentages are whole, 0 to 100. */
export const policies = z.object({
  free_cancellation_hours: z.int(),
  late_fee_percent: z.int(),
  no_show_fee_percent: z.int(),
  require_prepayment: z.boolean(),
  enforce_availability: z.boolean(),
  makeup_credits: z.boolean(),
  progress_visible: z.boolean(),
  offer_url_template: z.string().nullable(),
});
export type Policies = z.output<typeof policies>;

/** An account as every operation returns it; `policies` is null unless it is a school. */
export const account = apiObject('account', {
  id: idText('acct'),
  name: z.string(),
  email: emailText,
  /** An address that counts once it is confirmed; null without one. */
  pending_email: emailText.nullable(),
  kind: accountKind,
  timezone: z.string(),
  locale,
  currency: z.string(),
  policies: policies.nullable(),
  metadata: metadataAnswer,
  created_at: instantText,
});
export type Account = z.output<typeof account>;

export const getAccount = rpc('people.getAccount', {
  summary: 'Get an account',
  description: 'The account of the key, with its policies if it is a school.',
  kind: 'read',
  callers: ['gateway', 'booking'],
  input: z.strictObject({ account_id: id('acct') }),
  output: account,
  errors: ['foreign_account', 'resource_not_found'],
});

const percent = z.int().min(0).max(100);

/** Some of a school's policies; those not named stay. Hours 0 to 8760 (a year), percentages whole, 0 to 100. */
const policyChanges = patch({
  free_cancellation_hours: z.int().min(0).max(8760),
  late_fee_percent: percent,
  no_show_fee_percent: percent,
  require_prepayment: z.boolean(),
  enforce_availability: z.boolean(),
  makeup_credits: z.boolean(),
  progress_visible: z.boolean(),
  offer_url_template: offerUrlTemplate,
});
export type PolicyChanges = z.output<typeof policyChanges>;

/**
 * Changes the requesting account. `policies` are a school's; they govern everyone who books with its instructors, and take effect
 * at once. An `email` counts once it is confirmed by the link
 * that is sent to it; until then it is `pending_email`. Five links may be requested a day.
 */
export const updateAccount = rpc('people.updateAccount', {
  summary: 'Update an account',
  description:
    'Changes the fields that are sent. A new `email` counts once it is confirmed; policies hold from the next request on, for bookings made from then on.',
  kind: 'write',
  reads: getAccount,
  input: z.strictObject({
    account_id: id('acct'),
    changes: patch({
      name: notBlank(200),
      email,
      timezone,
      locale,
      policies: policyChanges,
      metadata: metadataPatch,
    }),
  }),
  output: account,
  errors: [
    'foreign_account',
    'policies_of_school_only',
    'resource_not_found',
    'limit_reached',
    'change_in_progress',
    'too_long',
  ],
});
export type AccountChanges = z.output<typeof updateAccount.input>['changes'];
