import { describe, expect, it } from '@jest/globals';
import {
  declineReasonOf,
  delayMsAfter,
  fieldOfRefusal,
  type Move,
  moveOf,
  NEWS,
  type News,
  STEPS,
  type Step,
} from './payment.rules.js';

const never: Record<News, null> = { reserved: null, refused: null, succeeded: null, failed: null, settled: null };

const TABLE: Record<Step, Record<News, Move | null>> = {
  reserve: { ...never, reserved: { step: 'charge' }, refused: { step: 'withdraw' } },
  charge: {
    ...never,
    succeeded: { step: 'settle', status: 'succeeded' },
    failed: { step: 'settle', status: 'failed' },
  },
  settle: { ...never, settled: { step: 'done' } },
  withdraw: { ...never, settled: { step: 'done' } },
  done: never,
};

const CELLS = STEPS.flatMap((step) => NEWS.map((news) => ({ step, news, move: TABLE[step][news] })));

describe('the steps of a payment', () => {
  it.each(CELLS)('a payment at $step that hears it is $news goes to $move', ({ step, news, move }) => {
    expect(moveOf(step, news)).toEqual(move);
  });

  it('lead to an end from every step, whatever the news', () => {
    const ends = (step: Step, depth = 0): boolean =>
      depth < STEPS.length &&
      (step === 'done' || NEWS.some((news) => moveOf(step, news)?.step)) &&
      NEWS.every((news) => {
        const move = moveOf(step, news);
        return move === null || ends(move.step, depth + 1);
      });
    expect(STEPS.every((step) => ends(step))).toBe(true);
  });

  it('never name an outcome before the processor has', () => {
    const before: Step[] = ['reserve', 'withdraw'];
    expect(before.flatMap((step) => NEWS.map((news) => moveOf(step, news)?.status)).filter(Boolean)).toEqual([]);
  });
});

describe('an attempt without news', () => {
  it('is repeated ever later, and at least every 15 seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 1_000].map(delayMsAfter)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });
});

describe('a refusal', () => {
  it('tells a card that its owner must authenticate from one that was declined', () => {
    expect(declineReasonOf('authentication_required')).toBe('authentication_required');
    expect(declineReasonOf('insufficient_funds')).toBe('card_declined');
    expect(declineReasonOf('card_declined')).toBe('card_declined');
  });

  it('names the input of the payment that the booking refused', () => {
    expect(fieldOfRefusal('amount_exceeds_due')).toBe('amount_cents');
    expect(fieldOfRefusal('currency_mismatch')).toBe('currency');
    expect(fieldOfRefusal('not_found')).toBe('booking_id');
    expect(fieldOfRefusal('invalid_state')).toBe('booking_id');
    expect(fieldOfRefusal('already_paid')).toBe('booking_id');
    expect(fieldOfRefusal('stale_version')).toBe('booking_id');
  });
});
