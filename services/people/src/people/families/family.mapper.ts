import type { describeDues, Family, OutputOf } from '@swim/contracts';
import { isUnclaimed } from '../../identity/accounts/account.rules.js';

type Dues = Omit<OutputOf<typeof describeDues>['dues'][number], 'accountId'>;

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
