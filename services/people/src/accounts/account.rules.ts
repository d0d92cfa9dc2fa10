import type { AccountKind, Party } from '@swim/contracts';

/** A school's rules as this service keeps them; hours and whole percents. */
export type AccountPolicies = NonNullable<Party['policies']>;

const DEFAULT_POLICIES: AccountPolicies = {
  freeCancellationHours: 24,
  lateFeePercent: 50,
  noShowFeePercent: 100,
  requirePrepayment: false,
  enforceAvailability: true,
  makeupCredits: true,
  progressVisible: true,
};

/** The policies that a new account starts with: a school's defaults (contract, Accounts), null for anyone else. */
export const firstPolicies = (kind: AccountKind): AccountPolicies | null =>
  kind === 'school' ? { ...DEFAULT_POLICIES } : null;
