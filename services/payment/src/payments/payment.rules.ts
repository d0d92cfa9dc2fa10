import type { Payment, Reason } from '@swim/contracts';

/**
 * The next step of a payment. `reserve`: request the booking to reserve the money; `charge`: request the processor to charge or
 * authorise it, or to return the outcome; `settle`: send the booking the outcome; `capture`, `void`: request the processor to
 * charge what was authorised, or to release it; `check`: request its outcome, as an authorisation may have ended; `withdraw`: the
 * booking rejected, but an earlier request may still reach it: release what that reserves; `done`: nothing.
 */
export const STEPS = ['reserve', 'charge', 'settle', 'capture', 'void', 'check', 'withdraw', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** The certain result of a step. An unknown outcome is no result. */
export const STEP_RESULTS = [
  'reserved',
  'rejected',
  'authorized',
  'succeeded',
  'failed',
  'voided',
  'settled',
  'capturing',
  'voiding',
  'noticed',
] as const;
export type StepResult = (typeof STEP_RESULTS)[number];

/** The transition that a result causes; `status` only where it changes. */
export interface Move {
  step: Step;
  status?: Payment['status'];
}

const ends = <S extends 'authorized' | 'succeeded' | 'failed' | 'voided'>(status: S) => ({
  [status]: { step: 'settle', status } as const,
});

const ENDING = { capturing: { step: 'capture' }, voiding: { step: 'void' } } as const;

const MOVES: Record<Step, Partial<Record<StepResult, Move>>> = {
  reserve: { reserved: { step: 'charge' }, rejected: { step: 'withdraw' } },
  charge: { ...ends('succeeded'), ...ends('authorized'), ...ends('failed') },
  settle: { ...ENDING, settled: { step: 'done' } },
  // What was captured or released at the processor meanwhile is the outcome, whatever was requested.
  capture: { ...ends('succeeded'), ...ends('voided') },
  void: { ...ends('voided'), ...ends('succeeded') },
  check: { ...ends('voided'), ...ends('succeeded'), ...ENDING, settled: { step: 'done' } },
  withdraw: { settled: { step: 'done' } },
  done: { ...ENDING, noticed: { step: 'check' } },
};

/** The transition from this step by this result; null where it cannot occur. */
export const moveOf = (step: Step, result: StepResult): Move | null => MOVES[step][result] ?? null;

/** The outcome that the booking gets of a payment with this status. */
export const settlementOf = (status: Payment['status']): 'authorized' | 'succeeded' | 'failed' => {
  if (status === 'authorized') return status;
  return status === 'succeeded' || status === 'partially_refunded' || status === 'refunded' ? 'succeeded' : 'failed';
};

/** Why an authorised payment can be captured or voided now, or not. */
export function captureOrVoidRejection({ status, step }: { status: Payment['status']; step: Step }): Reason | null {
  if (status !== 'authorized') return 'invalid_state';
  return step === 'capture' || step === 'void' ? 'change_in_progress' : null;
}

/** Status of a payment of which this much was refunded. */
export const statusAfterRefunds = (amountCents: number, refundedCents: number): Payment['status'] => {
  if (refundedCents === 0) return 'succeeded';
  return refundedCents < amountCents ? 'partially_refunded' : 'refunded';
};

const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 15_000;

/** Delay after an attempt without a result: doubling, at most 15 s. */
export const delayMsAfter = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempt - 1, 10), MOST_DELAY_MS);

/** The public reason of a failed charge. */
export const declineReasonOf = (failureCode: string): Extract<Reason, 'card_declined' | 'authentication_required'> =>
  failureCode === 'authentication_required' ? 'authentication_required' : 'card_declined';

const FIELD_OF: Partial<Record<Reason, string>> = {
  amount_exceeds_due: 'amount_cents',
  amount_exceeds_refundable: 'amount_cents',
  currency_mismatch: 'currency',
  not_representable: 'amount_cents',
};

/** The field of a payment or refund that the booking's error is about; null when it is the object itself. */
export const fieldOfReason = (reason: Reason): string | null => FIELD_OF[reason] ?? null;
