import { dueCents, type Ledger } from './balance.rules.js';
import { type BookedSession, billedCents } from './session-billing.rules.js';

/** A part of what is due for a booking. */
export interface DuePart {
  /**
   * When it is overdue, or was first, by the clock of the booking, ISO 8601 UTC: the start of the lesson; for the fee of a cancelled one
   * when the fee arose.
   */
  at: string;
  cents: number;
}

type Billed = Ledger & { sessions: BookedSession[] };

/** What is due for a booking, the oldest first; what is paid, credited or waived covers the oldest (contract, Families). */
export function duePartsOf(booking: Billed): DuePart[] {
  let coveredCents = booking.amountCents - dueCents(booking);
  const billed = booking.sessions.map((session) => ({ at: dueAt(session, booking), cents: billedCents(session) }));
  // ISO 8601 in UTC, whose order is that of time.
  billed.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  return billed.flatMap(({ at, cents }) => {
    const covered = Math.min(coveredCents, cents);
    coveredCents -= covered;
    return cents > covered ? [{ at, cents: cents - covered }] : [];
  });
}

function dueAt({ id, status, date }: BookedSession, { movements = [] }: Billed): string {
  const fee = status === 'cancelled' ? movements.findLast(({ kind, of }) => kind === 'fee' && of === id) : undefined;
  return fee?.at ?? date;
}

/** What is due in one currency. */
export interface Due {
  currency: string;
  cents: number;
  overdueCents: number;
}

/** What an account owes a school on bookings. */
export interface Dues {
  due: Due[];
  /** Since when the oldest part is overdue; null while none is. */
  oldestDueAt: string | null;
}

/** The sums of what is due for bookings at an instant, by currency. */
export function duesAt(bookings: readonly { currency: string; dueParts: DuePart[] }[], now: string): Dues {
  const due = new Map<string, Due>();
  let oldestDueAt: string | null = null;
  for (const { currency, dueParts } of bookings) {
    const sums = due.get(currency) ?? { currency, cents: 0, overdueCents: 0 };
    due.set(currency, sums);
    for (const { at, cents } of dueParts) {
      sums.cents += cents;
      if (at > now) continue;
      sums.overdueCents += cents;
      if (oldestDueAt === null || at < oldestDueAt) oldestDueAt = at;
    }
  }
  return { due: [...due.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)), oldestDueAt };
}
