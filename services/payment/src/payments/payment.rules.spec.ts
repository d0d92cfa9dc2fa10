import { describe, expect, it } from '@jest/globals';
import { PAYMENT_STATES } from '@swim/contracts';
import fc from 'fast-check';
import {
  captureOrVoidRejection,
  declineReasonOf,
  delayMsAfter,
  fieldOfReason,
  type Move,
  moveOf,
  STEP_RESULTS,
  STEPS,
  type Step,
  type StepResult,
  settlementOf,
  statusAfterRefunds,
} from './payment.rules.js';

const never: Record<StepResult, null> = {
  reserved: null,
  rejected: null,
  authorized: null,
  succeeded: null,
  failed: null,
  voided: null,
  settled: null,
  capturing: null,
  voiding: null,
  noticed: null,
};

const succeeded: Move = { step: 'settle', status: 'succeeded' };
const voided: Move = { step: 'settle', status: 'voided' };
const endings: Partial<Record<StepResult, Move>> = { capturing: { step: 'capture' }, voiding: { step: 'void' } };

const TABLE: Record<Step, Record<StepResult, Move | null>> = {
  reserve: { ...never, reserved: { step: 'charge' }, rejected: { step: 'withdraw' } },
  charge: {
    ...never,
    succeeded,
    authorized: { step: 'settle', status: 'authorized' },
    failed: { step: 'settle', status: 'failed' },
  },
  settle: { ...never, ...endings, settled: { step: 'done' } },
  capture: { ...never, succeeded, voided },
  void: { ...never, succeeded, voided },
  check: { ...never, ...endings, succeeded, voided, settled: { step: 'done' } },
  withdraw: { ...never, settled: { step: 'done' } },
  done: { ...never, ...endings, noticed: { step: 'check' } },
};

const CELLS = STEPS.flatMap((step) => STEP_RESULTS.map((result) => ({ step, result, move: TABLE[step][result] })));

describe('the steps of a payment', () => {
  it.each(CELLS)('a payment at $step with the result $result goes to $move', ({ step, result, move }) => {
    expect(moveOf(step, result)).toEqual(move);
  });

  it('lead to an end from every step, for any results but a new request to capture or void, or a new notice', () => {
    const results = STEP_RESULTS.filter((result) => !(result in endings) && result !== 'noticed');
    const ends = (step: Step, depth = 0): boolean =>
      depth < STEPS.length &&
      (step === 'done' || results.some((result) => moveOf(step, result)?.step)) &&
      results.every((result) => {
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

  it('names the field that the booking rejected, where it is not the object itself', () => {
    expect(fieldOfReason('amount_exceeds_due')).toBe('amount_cents');
    expect(fieldOfReason('amount_exceeds_refundable')).toBe('amount_cents');
    expect(fieldOfReason('currency_mismatch')).toBe('currency');
    expect(fieldOfReason('invalid_state')).toBeNull();
  });
});

describe('an authorised payment', () => {
  it('can be captured or voided, unless one of both is in progress', () => {
    const rejection = (step: Step) => captureOrVoidRejection({ status: 'authorized', step });
    expect([rejection('settle'), rejection('done')]).toEqual([null, null]);
    expect([rejection('capture'), rejection('void')]).toEqual(['change_in_progress', 'change_in_progress']);
  });

  it('is the only one that can', () => {
    const others = PAYMENT_STATES.filter((status) => status !== 'authorized');
    const rejections = others.map((status) => captureOrVoidRejection({ status, step: 'done' }));
    expect(rejections).toEqual(others.map(() => 'invalid_state'));
  });
});

describe('the outcome that a booking gets of a payment', () => {
  it('is succeeded once it was charged, whatever was refunded since', () => {
    const charged = ['succeeded', 'partially_refunded', 'refunded'] as const;
    expect(charged.map(settlementOf)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(settlementOf('authorized')).toBe('authorized');
    expect((['pending', 'failed', 'voided'] as const).map(settlementOf)).toEqual(['failed', 'failed', 'failed']);
  });
});

describe('the status after refunds', () => {
  it('is refunded exactly when the last cent is back, for any parts', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, (cents) => {
        const amountCents = cents.reduce((sum, each) => sum + each, 0);
        let refundedCents = 0;
        for (const each of cents) {
          expect(statusAfterRefunds(amountCents, refundedCents)).not.toBe('refunded');
          refundedCents += each;
        }
        expect(statusAfterRefunds(amountCents, refundedCents)).toBe('refunded');
        expect(statusAfterRefunds(amountCents, 0)).toBe('succeeded');
      }),
    );
  });
});
