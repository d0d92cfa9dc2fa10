import type { Movement } from '../money/balance.rules.js';
import type { CreditIssue } from '../money/returns.rules.js';
import { type AuditedCredit, centsOf, type Found, movedCents, type StoredMoney } from './audited-money.rules.js';

/** Differences between a ledger and the makeup credits that it spends and gives; those that are `young` are left out. */
export function differencesOfCredits({ booking, credits, young }: StoredMoney, movements: Movement[]): Found[] {
  const stored = new Map(credits.map((credit) => [credit._id, credit]));
  const own = booking.creditId ? [booking.creditId] : [];
  return [
    ...own.filter((id) => !young.has(id)).flatMap((id) => spendDifference(id, booking._id, stored.get(id), movements)),
    ...(booking.issues ?? []).filter(({ id }) => !young.has(id)).flatMap((issue) => issueDifferences(issue, stored)),
  ];
}

function spendDifference(
  creditId: string,
  bookingId: string,
  credit: AuditedCredit | undefined,
  movements: Movement[],
): Found[] {
  const ledgerCents = movedCents(movements, 'credit_spent') - movedCents(movements, 'credit_returned');
  const otherCents = centsOf((credit?.spends ?? []).filter((spend) => spend.bookingId === bookingId));
  return ledgerCents === otherCents ? [] : [{ kind: 'credit_spend_differs', creditId, ledgerCents, otherCents }];
}

function issueDifferences(
  { id: creditId, amountCents, revokedCents = 0 }: CreditIssue,
  stored: Map<string, AuditedCredit>,
) {
  const credit = stored.get(creditId);
  const found: Found[] = credit ? leftDifference(credit) : [];
  const otherCents = credit?.issuedCents ?? 0;
  if (amountCents !== otherCents)
    found.push({ kind: 'credit_differs', creditId, ledgerCents: amountCents, otherCents });
  const takenCents = credit?.revokedCents ?? 0;
  if (revokedCents !== takenCents)
    found.push({ kind: 'credit_revoked_differs', creditId, ledgerCents: revokedCents, otherCents: takenCents });
  return found;
}

function leftDifference({ _id: creditId, issuedCents, leftCents, revokedCents = 0, spends }: AuditedCredit): Found[] {
  const ledgerCents = Math.max(issuedCents - revokedCents - centsOf(spends), 0);
  return ledgerCents === leftCents
    ? []
    : [{ kind: 'credit_left_differs', creditId, ledgerCents, otherCents: leftCents }];
}
