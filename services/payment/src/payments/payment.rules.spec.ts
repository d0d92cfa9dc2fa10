import { describe, expect, it } from '@jest/globals';
import {
  declineReasonOf,
  delayMsAfter,
  fieldOfReason,
  type Move,
  moveOf,
  STEP_RESULTS,
  STEPS,
  type Step,
  type StepResult,
} from './payment.rules.js';

const never: Record<StepResult, null> = {
  reserved: null,
  rejected: null,
  succeeded: null,
  failed: null,
  settled: null,
};

const TABLE: Record<Step, Record<StepResult, Move | null>> = {
  reserve: { ...never, reserved: { step: 'charge' }, rejected: { step: 'withdraw' } },
  charge: {
    ...never,
    succeeded: { step: 'settle', status: 'succeeded' },
    failed: { step: 'settle', status: 'failed' },
  },
  settle: { ...never, settled: { step: 'done' } },
  withdraw: { ...never, settled: { step: 'done' } },
  done: never,
};

const CELLS = STEPS.flatMap((step) => STEP_RESULTS.map((result) => ({ step, result, move: TABLE[step][result] })));

describe('the steps of a payment', () => {
  it.each(CELLS)('a payment at $step with the result $result goes to $move', ({ step, result, move }) => {
    expect(moveOf(step, result)).toEqual(move);
  });

  it('lead to an end from every step, for any results', () => {
    const ends = (step: Step, depth = 0): boolean =>
      depth < STEPS.length &&
      (step === 'done' || STEP_RESULTS.some((result) => moveOf(step, result)?.step)) &&
      STEP_RESULTS.every((result) => {
        const move = moveOf(step, result);
        return move === null || ends(move.step, depth + 1);
      });
    expect(STEPS.every((step) => ends(step))).toBe(true);
  });

  it('have no outcome before the processor’s', () => {
    const before: Step[] = ['reserve', 'withdraw'];
    expect(
      before.flatMap((step) => STEP_RESULTS.map((result) => moveOf(step, result)?.status)).filter(Boolean),
    ).toEqual([]);
  });
});

describe('an attempt without a result', () => {
  it('is repeated after growing delays of at most 15 seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 1_000].map(delayMsAfter)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });
});

describe('an error', () => {
  it('distinguishes a card whose owner must authenticate from a declined one', () => {
    expect(declineReasonOf('authentication_required')).toBe('authentication_required');
    expect(declineReasonOf('insufficient_funds')).toBe('card_declined');
    expect(declineReasonOf('card_declined')).toBe('card_declined');
  });

  it('names the input of the payment that the booking rejected', () => {
    expect(fieldOfReason('amount_exceeds_due')).toBe('amount_cents');
    expect(fieldOfReason('currency_mismatch')).toBe('currency');
    expect(fieldOfReason('not_found')).toBe('booking_id');
    expect(fieldOfReason('invalid_state')).toBe('booking_id');
    expect(fieldOfReason('already_paid')).toBe('booking_id');
    expect(fieldOfReason('stale_version')).toBe('booking_id');
  });
});
