import type { AccountChanges, AccountKind, Participants, PolicyChanges } from '@swim/contracts';
import { given } from '../changes.rules.js';

/** A school's rules as this service keeps them; hours and whole percents. */
export type AccountPolicies = NonNullable<Participants['policies']>;

const DEFAULT_POLICIES: AccountPolicies = {
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  requirePrepayment: false,
  enforceAvailability: true,
  makeupCredits: true,
  progressVisible: true,
};

/** What each policy of the API is kept as. */
const KEPT_AS: { readonly [K in keyof PolicyChanges]-?: keyof AccountPolicies } = {
  free_cancellation_hours: 'freeCancellationHours',
  late_fee_percent: 'lateFeePercent',
  no_show_fee_percent: 'noShowFeePercent',
  require_prepayment: 'requirePrepayment',
  enforce_availability: 'enforceAvailability',
  makeup_credits: 'makeupCredits',
  progress_visible: 'progressVisible',
};

/** The policies that a new account starts with: a school's defaults (contract, Accounts), null for anyone else. */
export const firstPolicies = (kind: AccountKind): AccountPolicies | null =>
  kind === 'school' ? { ...DEFAULT_POLICIES } : null;

/** Those policies that a change names, as they are kept. */
export const namedPolicies = (changes: PolicyChanges): Partial<AccountPolicies> =>
  Object.fromEntries(
    Object.entries(given(changes)).map(([name, value]) => [KEPT_AS[name as keyof PolicyChanges], value]),
  ) as Partial<AccountPolicies>;

/** An account's own fields that a change names. */
export const namedFields = ({ name, email, timezone }: AccountChanges) => given({ name, email, timezone });
