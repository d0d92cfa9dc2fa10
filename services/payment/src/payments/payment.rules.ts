import type { Payment, Reason } from '@swim/contracts';

/**
 * The next step of a payment. `reserve`: request the booking to reserve the money; `charge`: request the processor to charge
 * it, or to return the outcome; `settle`: send the booking the outcome; `withdraw`: the booking rejected, but an earlier
 * request may still reach it: release what that reserves; `done`: nothing.
 */
export const STEPS = ['reserve', 'charge', 'settle', 'withdraw', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** The certain result of a step. An unknown outcome is no result. */
export const STEP_RESULTS = ['reserved', 'rejected', 'succeeded', 'failed', 'settled'] as const;
export type StepResult = (typeof STEP_RESULTS)[number];

/** The transition that a result causes; `status` only where it changes. */
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

/** The transition from this step by this result; null where it cannot occur. */
export const moveOf = (step: Step, result: StepResult): Move | null => MOVES[step][result] ?? null;

const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 15_000;

/** Delay after an attempt without a result: doubling, at most 15 s. */
export const delayMsAfter = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 10), MOST_DELAY_MS);

/** The public reason of a failed charge. */
export const declineReasonOf = (failureCode: string): Extract<Reason, 'card_declined' | 'authentication_required'> =>
  failureCode === 'authentication_required' ? 'authentication_required' : 'card_declined';

const FIELD_OF: Partial<Record<Reason, string>> = {
  not_found: 'booking_id',
  invalid_state: 'booking_id',
  already_paid: 'booking_id',
  amount_exceeds_due: 'amount_cents',
  currency_mismatch: 'currency',
};

/** The input of a payment that the booking's error is about. */
export const fieldOfReason = (reason: Reason): string => FIELD_OF[reason] ?? 'booking_id';
