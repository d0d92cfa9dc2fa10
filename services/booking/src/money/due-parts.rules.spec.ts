import { describe, expect, it } from '@jest/globals';
import {
  AT,
  apply,
  bookingOf,
  cancelled,
  credited,
  followed,
  paidIn,
  refund,
  refundSettled,
} from '../../test/booking-states.js';
import { duePartsOf, duesAt } from './due-parts.rules.js';

const FIRST = '2027-03-10T16:00:00.000Z';
const SECOND = '2027-03-11T16:00:00.000Z';
const THIRD = '2027-03-12T16:00:00.000Z';

describe('what is due for a booking', () => {
  it('is the price of each lesson at its start; payments and credits cover the oldest first', () => {
    const booking = bookingOf([5_000, 4_000, 3_000]);
    expect(duePartsOf(booking)).toEqual([
      { at: FIRST, cents: 5_000 },
      { at: SECOND, cents: 4_000 },
      { at: THIRD, cents: 3_000 },
    ]);
    expect(paidIn(booking, 6_000).dueParts).toEqual([
      { at: SECOND, cents: 3_000 },
      { at: THIRD, cents: 3_000 },
    ]);
    expect(duePartsOf(credited(booking, 9_500))).toEqual([{ at: THIRD, cents: 2_500 }]);
    expect(paidIn(booking, 12_000).dueParts).toEqual([]);
  });

  it('is nothing for a lesson that costs nothing', () => {
    expect(duePartsOf(bookingOf([0, 0]))).toEqual([]);
  });

  it('is the fee of a cancelled lesson from when it arose, and of a missed one from its start', () => {
    const late = followed(bookingOf([5_000, 4_000]), 'ses_1', cancelled(2_000));
    expect(late.dueParts).toEqual([
      { at: AT, cents: 2_000 },
      { at: FIRST, cents: 5_000 },
    ]);
    expect(paidIn(late, 2_500).dueParts).toEqual([{ at: FIRST, cents: 4_500 }]);
    const missed = followed(bookingOf([5_000, 4_000]), 'ses_0', { attendance: 'no_show' }, 50);
    expect(missed.dueParts).toEqual([
      { at: FIRST, cents: 2_500 },
      { at: SECOND, cents: 4_000 },
    ]);
    expect(followed(bookingOf([5_000]), 'ses_0', cancelled()).dueParts ?? []).toEqual([]);
  });

  it('follows a lesson that is moved, and a refund of goodwill waives the oldest first', () => {
    const moved = followed(bookingOf([5_000, 4_000]), 'ses_0', { date: THIRD });
    expect(moved.dueParts?.map(({ at }) => at)).toEqual([SECOND, THIRD]);
    const paid = paidIn(bookingOf([5_000, 4_000]), 4_000);
    const back = refundSettled(refund(paid, 'rfd_1', paid.payments[0]!.id, 4_000), 'rfd_1', 'succeeded');
    expect(back.dueParts).toEqual([
      { at: FIRST, cents: 1_000 },
      { at: SECOND, cents: 4_000 },
    ]);
  });

  it('is stored by the next change of a booking that was stored without it', () => {
    expect(apply(bookingOf([5_000]), {}).dueParts).toEqual([{ at: FIRST, cents: 5_000 }]);
  });
});

describe('what an account owes', () => {
  const bookings = [
    {
      currency: 'USD',
      dueParts: [
        { at: SECOND, cents: 4_000 },
        { at: THIRD, cents: 100 },
      ],
    },
    { currency: 'JPY', dueParts: [{ at: FIRST, cents: 2_501 }] },
    { currency: 'USD', dueParts: [{ at: THIRD, cents: 20 }] },
  ];

  it('is summed by currency, and is overdue from the start of the lesson on', () => {
    expect(duesAt(bookings, SECOND)).toEqual({
      due: [
        { currency: 'JPY', cents: 2_501, overdueCents: 2_501 },
        { currency: 'USD', cents: 4_120, overdueCents: 4_000 },
      ],
      oldestDueAt: FIRST,
    });
    expect(duesAt(bookings.slice(2), SECOND)).toEqual({
      due: [{ currency: 'USD', cents: 20, overdueCents: 0 }],
      oldestDueAt: null,
    });
    expect(duesAt([], SECOND)).toEqual({ due: [], oldestDueAt: null });
  });
});
