import { z } from 'zod';
import { id, patch, timezone } from './formats.js';
import { rpc } from './operation.js';
import { email, notBlank } from './person.js';
import { accountKind } from './principal.js';

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

/** An account as every operation returns it; `policies` is null unless it is a school. */
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
  callers: ['gateway'],
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
});
export type PolicyChanges = z.output<typeof policyChanges>;

/**
 * Changes the requesting account. `policies` are a school's, and need the scope `instructors:write` too, since they
 * govern everyone who books with its instructors; they take effect at once.
 */
export const updateAccount = rpc('people.updateAccount', {
  kind: 'write',
  callers: ['gateway'],
  input: z.strictObject({
    account_id: id('acct'),
    changes: patch({ name: notBlank(200), email, timezone, policies: policyChanges }),
  }),
  output: account,
  errors: ['foreign_account', 'missing_scope', 'policies_of_school_only', 'resource_not_found'],
});
export type AccountChanges = z.output<typeof updateAccount.input>['changes'];
