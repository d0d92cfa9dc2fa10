import type { Refund } from '@swim/contracts';

/**
 * The next step of a refund. `reserve`: request the booking to set the money aside; `refund`: request the processor to refund it;
 * `count`: count it in its payment; `settle`: send the booking the outcome; `withdraw`: release what the booking sets aside, since
 * it is abandoned, or since the booking rejected, but an earlier request may still reach it; count it no more when the bank returned
 * one that was made by hand; `done`: nothing.
 */
export const STEPS = ['reserve', 'refund', 'count', 'settle', 'withdraw', 'done'] as const;
export type Step = (typeof STEPS)[number];

/** The certain result of a step. An unknown outcome is no result. */
export const STEP_RESULTS = [
  'reserved',
  'rejected',
  'succeeded',
  'failed',
  'abandoned',
  'counted',
  'settled',
  'noticed',
  'returned',
] as const;
export type StepResult = (typeof STEP_RESULTS)[number];

/** The transition that a result causes; `status` only where it changes. */
export interface Move {
  step: Step;
  status?: Refund['status'];
}

const MOVES: Record<Step, Partial<Record<StepResult, Move>>> = {
  reserve: { reserved: { step: 'refund' }, rejected: { step: 'withdraw' } },
  // One that fails is tried again, for the booking and the client count on it.
  refund: {
    succeeded: { step: 'count', status: 'succeeded' },
    failed: { step: 'refund', status: 'failed' },
    // A dispute, or a refund that was made by hand, leaves too little to refund.
    abandoned: { step: 'withdraw', status: 'failed' },
  },
  count: { counted: { step: 'settle' } },
  settle: { settled: { step: 'done' } },
  withdraw: { settled: { step: 'done' } },
  // The bank returned it later: it is queried, and tried again when that is true. The steps after it are idempotent. One that was made
  // by hand is not.
  done: { noticed: { step: 'refund' }, returned: { step: 'withdraw', status: 'failed' } },
};

/** The transition from this step by this result; null where it cannot occur. */
export const moveOf = (step: Step, result: StepResult): Move | null => MOVES[step][result] ?? null;

const FIRST_RETRY_MS = 60_000;
const MOST_RETRY_MS = 6 * 3_600_000;

/** Delay after the nth known failure at the processor: doubling from a minute, at most six hours. */
export const retryMsAfter = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MOST_RETRY_MS);

const MOST_QUERY_MS = 15 * 60_000;

/** Delay after a query of the processor without a result: doubling from a second, at most 15 minutes; a bank may take days. */
export const queryMsAfter = (attempt: number): number =>
  Math.min(1_000 * 2 ** Math.min(attempt - 1, 20), MOST_QUERY_MS);

/** The processor's idempotency key of the attempt after this many known failures: a repeated one refunds nothing more. */
export const keyOf = (refundId: string, failures: number): string => `${refundId}:${failures}`;
