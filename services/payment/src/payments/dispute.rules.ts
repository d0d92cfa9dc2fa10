import type { Dispute } from '../processor/processors.service.js';

/** A dispute of a payment, and the state of it that its booking has recorded; null before the first. */
export interface KnownDispute extends Dispute {
  recorded: Dispute['state'] | null;
}

/** Whether nothing of the payment is refunded by itself: until each of its disputes is won. */
export const isDisputed = ({ disputes }: { disputes?: readonly KnownDispute[] }): boolean =>
  (disputes ?? []).some(({ state }) => state !== 'won');

/**
 * Whether the cardholder has money of the payment back by a dispute, which its booking has recorded, and none is open: nothing of
 * it is refunded by itself any more.
 */
export const isLost = ({ disputes = [] }: { disputes?: readonly KnownDispute[] }): boolean =>
  disputes.some(({ recorded }) => recorded === 'lost') && disputes.every(({ state }) => state !== 'open');

/**
 * The disputes of a payment with what the processor reports of them; null when that is known already. A decided dispute stays
 * decided, however late an earlier report arrives.
 */
export function withReported(known: readonly KnownDispute[], reported: readonly Dispute[]): KnownDispute[] | null {
  const updated = known.map((each) => {
    const now = reported.find(({ id }) => id === each.id);
    return now && each.state === 'open' && now.state !== 'open' ? { ...each, ...now } : each;
  });
  const fresh = reported.filter(({ id }) => !known.some((each) => each.id === id));
  if (fresh.length === 0 && updated.every((each, index) => each === known[index])) return null;
  return [...updated, ...fresh.map((dispute) => ({ ...dispute, recorded: null }))];
}

/** A dispute whose state its booking has not recorded. */
export const nextToRecord = (disputes: readonly KnownDispute[]): KnownDispute | undefined =>
  disputes.find(({ state, recorded }) => state !== recorded);

/** The disputes once the booking has recorded this state of one of them. */
export const withRecorded = (disputes: readonly KnownDispute[], { id, state }: KnownDispute): KnownDispute[] =>
  disputes.map((each) => (each.id === id ? { ...each, recorded: state } : each));
