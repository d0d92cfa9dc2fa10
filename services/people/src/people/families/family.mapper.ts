import type { describeConsents, describeDues, Family, FamilyDetails, OutputOf } from '@swim/contracts';
import { isUnclaimed } from '../../identity/accounts/account.rules.js';

type Dues = Omit<OutputOf<typeof describeDues>['dues'][number], 'accountId'>;

/** `account`: the one that the school has made, if it has; `consents`: null where the key may not read them. */
export const toFamilyDetails = (
  family: Family,
  account: { invitedAt?: Date; claimedAt?: Date } | undefined,
  consents: OutputOf<typeof describeConsents>['consents'] | null,
): FamilyDetails => ({
  ...family,
  invited_at: account?.invitedAt?.toISOString() ?? null,
  claimed_at: account?.claimedAt?.toISOString() ?? null,
  consents:
    consents?.map(({ bookingId, currency, agreedCents, usedCents, leftCents }) => ({
      booking_id: bookingId,
      currency,
      agreed_cents: agreedCents,
      used_cents: usedCents,
      left_cents: leftCents,
    })) ?? null,
});

/** Maps a connection of a school, its account unless that is erased, and what that owes unless the key may not read it to the API's JSON. */
export const toFamily = (
  { accountId, memberIds }: { accountId: string; memberIds: string[] },
  account: { name: string; email: string; madeBy?: string; claimedAt?: Date } | undefined,
  dues: Dues | undefined,
): Family => ({
  account_id: accountId,
  name: account?.name ?? null,
  email: account?.email ?? null,
  claimed: !account || !isUnclaimed(account),
  member_ids: memberIds,
  due: dues?.due.map(({ currency, cents, overdueCents }) => ({ currency, cents, overdue_cents: overdueCents })) ?? null,
  oldest_due_at: dues?.oldestDueAt ?? null,
});
