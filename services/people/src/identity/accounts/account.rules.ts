import type { AccountChanges, AccountKind, Participants, PolicyChanges } from '@swim/contracts';
import { given } from '../changes.rules.js';

/** A school's policies as stored; hours and whole percents. */
export interface AccountPolicies extends NonNullable<Participants['policies']> {
  /** Absent: none. */
  offerUrlTemplate?: string | null;
}

const DEFAULT_POLICIES: AccountPolicies = {
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  requirePrepayment: false,
  enforceAvailability: true,
  makeupCredits: true,
  progressVisible: true,
};

/** The stored field of each policy of the API. */
const KEPT_AS: { readonly [K in keyof PolicyChanges]-?: keyof AccountPolicies } = {
  free_cancellation_hours: 'freeCancellationHours',
  late_fee_percent: 'lateFeePercent',
  no_show_fee_percent: 'noShowFeePercent',
  require_prepayment: 'requirePrepayment',
  enforce_availability: 'enforceAvailability',
  makeup_credits: 'makeupCredits',
  progress_visible: 'progressVisible',
  offer_url_template: 'offerUrlTemplate',
};

/** Whether a school has made the account, and nobody has become its owner since. */
export const isUnclaimed = ({ madeBy, claimedAt }: { madeBy?: string; claimedAt?: Date }): boolean =>
  madeBy !== undefined && !claimedAt;

/** Links to confirm an address that an account may request within a day. */
export const MOST_CONFIRMATIONS = 5;

/** Links to addresses of instructors that a school sends within a day: their owners may know nothing of it. */
export const MOST_INSTRUCTOR_LINKS = 20;

/** Whether an account that has requested links at these times, the latest of them last, may request another one. */
export const mayRequestLink = (requested: readonly Date[], limitSince: Date): boolean =>
  requested.length < MOST_CONFIRMATIONS || requested.at(-MOST_CONFIRMATIONS)! <= limitSince;

/** The policies of a new account: a school's defaults (contract, Accounts), null for other kinds. */
export const firstPolicies = (kind: AccountKind): AccountPolicies | null =>
  kind === 'school' ? { ...DEFAULT_POLICIES } : null;

/** The policies of an erased school: numbers and switches, on which the money of existing bookings depends; no text. */
export const policiesOfErased = (policies: AccountPolicies | null): AccountPolicies | null =>
  policies &&
  (Object.fromEntries(Object.entries(policies).filter(([, value]) => typeof value !== 'string')) as typeof policies);

/** The policies that a change contains, as stored. */
export const namedPolicies = (changes: PolicyChanges): Partial<AccountPolicies> =>
  Object.fromEntries(
    Object.entries(given(changes)).map(([name, value]) => [KEPT_AS[name as keyof PolicyChanges], value]),
  ) as Partial<AccountPolicies>;

/** The account's own fields that a change contains and that take effect at once. */
export const namedFields = ({ name, timezone, locale }: AccountChanges) => given({ name, timezone, locale });
