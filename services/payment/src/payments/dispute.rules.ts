import type { Payment } from '@swim/contracts';
import type { Dispute } from '../processor/processors.service.js';

/** A dispute of a payment. */
export interface KnownDispute extends Dispute {
  /** Counts its states. */
  revision: number;
  /** The state that its booking has recorded; null before the first. */
  recorded: Dispute['state'] | null;
  /** When it was decided; null while it is open. */
  closedAt: Date | null;
}

interface Disputable {
  disputes?: readonly KnownDispute[];
}

/** Whether nothing of the payment is refunded: until each of its disputes is won. */
export const isDisputed = ({ disputes = [] }: Disputable): boolean => disputes.some(({ state }) => state !== 'won');

/**
 * Whether the cardholder has money of the payment back by a dispute, which its booking has recorded, and none is open: nothing of
 * it is refunded by itself any more.
 */
export const isLost = ({ disputes = [] }: Disputable): boolean =>
  disputes.some(({ state, recorded }) => state === 'lost' && recorded === 'lost') &&
  disputes.every(({ state }) => state !== 'open');

/** The dispute that keeps a payment disputed, else the latest, as the API has it. */
export function toDispute({ disputes = [] }: Disputable): Payment['dispute'] {
  const ofState = (state: Dispute['state']) => disputes.findLast((each) => each.state === state);
  const dispute = ofState('open') ?? ofState('lost') ?? ofState('won');
  return dispute ? { status: dispute.state, closed_at: dispute.closedAt?.toISOString() ?? null } : null;
}

/**
 * The disputes of a payment with what the processor reports of them at an instant; null when that is known already. A decision may
 * change, but a decided dispute does not open again.
 */
export function withReported(
  known: readonly KnownDispute[],
  reported: readonly Dispute[],
  at: Date,
): KnownDispute[] | null {
  const updated = known.map((each) => {
    const now = reported.find(({ id }) => id === each.id);
    if (!now || now.state === each.state || now.state === 'open') return each;
    return { ...each, ...now, revision: each.revision + 1, closedAt: at };
  });
  const fresh = reported.filter(({ id }) => !known.some((each) => each.id === id));
  if (fresh.length === 0 && updated.every((each, index) => each === known[index])) return null;
  const first = { revision: 1, recorded: null };
  return [
    ...updated,
    ...fresh.map((dispute) => ({ ...dispute, ...first, closedAt: dispute.state === 'open' ? null : at })),
  ];
}

/** Whether one of the disputes was decided, or decided otherwise, since. */
export const isNewlyDecided = (before: readonly KnownDispute[], after: readonly KnownDispute[]): boolean =>
  after.some(({ id, state }) => state !== 'open' && before.find((each) => each.id === id)?.state !== state);

/** A dispute whose state its booking has not recorded. */
export const nextToRecord = (disputes: readonly KnownDispute[]): KnownDispute | undefined =>
  disputes.find(({ state, recorded }) => state !== recorded);

/** The disputes once the booking has recorded this state of one of them. */
export const withRecorded = (disputes: readonly KnownDispute[], { id, state }: KnownDispute): KnownDispute[] =>
  disputes.map((each) => (each.id === id ? { ...each, recorded: state } : each));
