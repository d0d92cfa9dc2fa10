import type { Credit } from '@swim/contracts';
import { shownDate } from '@swim/mongo';
import { statusOf } from './credit.rules.js';
import type { CreditDocument } from './credit.schema.js';

/** Maps a stored credit to the API's JSON. */
export const toCredit = (document: CreditDocument, now: Date): Credit => ({
  id: document._id,
  account_id: document.accountId,
  member_id: document.memberId,
  school_id: document.schoolId,
  session_id: document.sessionId,
  amount_cents: document.leftCents,
  issued_cents: document.issuedCents,
  currency: document.currency,
  status: statusOf(document, now),
  booking_id: document.spends.at(-1)?.bookingId ?? null,
  expires_at: shownDate(document, document.expiresAt).toISOString(),
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
});
