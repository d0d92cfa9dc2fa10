import type { Payment, Reason } from '@swim/contracts';

/**
 * What is to be done next for a payment. `reserve`: have the booking set the money aside; `charge`: have the processor
 * take it, or say what it took; `settle`: tell the booking the outcome; `withdraw`: the booking rejected, but an earlier
 * request to it may still arrive: free whatever that set aside; `done`: nothing.
 */
export const STEPS = ['reserve', 'charge', 'settle', 'withdraw', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** What a step found out for certain. An outcome that is unknown is no news. */
export const STEP_RESULTS = ['reserved', 'rejected', 'succeeded', 'failed', 'settled'] as const;
export type StepResult = (typeof STEP_RESULTS)[number];

/** Where news takes a payment; `status` only where it changes. */
export interface Move {
  step: Step;
  status?: Payment['status'];
}

const MOVES: Record<Step, Partial<Record<StepResult, Move>>> = {
  reserve: { reserved: { step: 'charge' }, rejected: { step: 'withdraw' } },
  charge: { succeeded: { step: 'settle', status: 'succeeded' }, failed: { step: 'settle', status: 'failed' } },
  settle: { settled: { step: 'done' } },
  withdraw: { settled: { step: 'done' } },
  done: {},
};

/** Where news takes a payment that is at this step; null where such news cannot be. */
export const moveOf = (step: Step, result: StepResult): Move | null => MOVES[step][result] ?? null;

const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 15_000;

/** How long to leave a payment alone after an attempt that brought no news: doubling, at most 15 s. */
export const delayMsAfter = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 10), MOST_DELAY_MS);

/** How a failed charge is told to who asked for it. */
export const declineReasonOf = (failureCode: string): Extract<Reason, 'card_declined' | 'authentication_required'> =>
  failureCode === 'authentication_required' ? 'authentication_required' : 'card_declined';

const FIELD_OF: Partial<Record<Reason, string>> = {
  not_found: 'booking_id',
  invalid_state: 'booking_id',
  already_paid: 'booking_id',
  amount_exceeds_due: 'amount_cents',
  currency_mismatch: 'currency',
};

/** Which input of a payment the booking's error is about. */
export const fieldOfReason = (reason: Reason): string => FIELD_OF[reason] ?? 'booking_id';
