import { z } from 'zod';
import { id } from './formats.js';
import { rpc } from './operation.js';
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
