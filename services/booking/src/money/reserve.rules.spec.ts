import { describe, expect, it } from '@jest/globals';
import { AT, entry, ledgerOf } from '../../test/booking-states.js';
import type { LedgerEntry } from './balance.rules.js';
import { reserve } from './ledger.rules.js';

describe('reserving money', () => {
  const requested = { paymentId: 'pay_1', amountCents: 400, currency: 'USD' };

  it('takes up to the amount due minus other reservations, and returns that amount', () => {
    const ledger = ledgerOf(
      1_000,
      entry('pay_a', 300, 'succeeded'),
      entry('pay_b', 300, 'reserved'),
      entry('pay_c', 900, 'failed'),
    );
    expect(reserve(ledger, requested, true, AT)).toEqual({
      entry: { id: 'pay_1', amountCents: 400, dueCents: 400, at: AT, state: 'reserved' },
      isNew: true,
    });
    expect(reserve(ledger, { ...requested, amountCents: 401 }, true, AT)).toEqual({
      reason: 'amount_exceeds_due',
      field: 'amount_cents',
      message: expect.stringMatching(/at most 400, .*; you sent 401\.$/),
      details: { amount_due_cents: 400, maximum: 400 },
    });
  });

  it('is rejected in another currency', () => {
    expect(reserve(ledgerOf(1_000), { ...requested, currency: 'EUR' }, true, AT)).toEqual({
      reason: 'currency_mismatch',
      field: 'currency',
      message: 'currency must be USD, the currency of the booking; you sent EUR.',
      bounds: { allowed: ['USD'] },
    });
  });

  it('of an amount that the currency does not have is rejected', () => {
    const dinars = { ...ledgerOf(4_110), currency: 'KWD' };
    const asked = { paymentId: 'pay_1', amountCents: 4_103, currency: 'KWD' };
    expect(reserve(dinars, asked, true, AT)).toMatchObject({ reason: 'not_representable', field: 'amount_cents' });
    expect(reserve(dinars, { ...asked, amountCents: 4_110 }, true, AT)).toMatchObject({ isNew: true });
  });

  it('is rejected for a paid and for a free booking', () => {
    const paid = { reason: 'already_paid', details: { amount_due_cents: 0 } };
    expect(reserve(ledgerOf(400, entry('pay_a', 400, 'succeeded')), requested, true, AT)).toEqual(paid);
    expect(reserve(ledgerOf(0), requested, true, AT)).toEqual(paid);
  });

  it('is rejected after 20 failures within a day, payments in progress included, until the oldest is a day ago', () => {
    const failed = (id: number, at: string) => ({ ...entry(`pay_${id}`, 100, 'failed'), at });
    const tries = Array.from({ length: 18 }, (_, index) => failed(index, '2027-03-01T09:00:00.000Z'));
    const others = [entry('pay_paid', 100, 'succeeded'), failed(50, '2027-02-28T09:59:59.999Z')];
    const ledger = ledgerOf(9_000, ...tries, ...others, failed(18, '2027-02-28T10:00:00.001Z'));
    const last = reserve(ledger, { ...requested, paymentId: 'pay_last' }, true, AT);
    expect(last).toMatchObject({ isNew: true });
    const after = { ...ledger, payments: [...ledger.payments, (last as { entry: LedgerEntry }).entry] };
    const late = { ...requested, paymentId: 'pay_late' };
    expect(reserve(after, late, true, AT)).toEqual({
      reason: 'too_many_attempts',
      field: 'booking_id',
      retryAfterSeconds: 1,
    });
    expect(reserve(after, late, true, '2027-03-01T10:00:01.000Z')).toMatchObject({ isNew: true });
    expect(reserve(after, { ...requested, paymentId: 'pay_last' }, true, AT)).toMatchObject({ isNew: false });
  });

  it('is rejected for a booking in a status without payments', () => {
    expect(reserve(ledgerOf(1_000), requested, false, AT)).toMatchObject({ reason: 'invalid_state' });
  });

  it('is rejected when the same payment has another amount', () => {
    expect(reserve(ledgerOf(1_000, entry('pay_1', 300, 'reserved')), requested, true, AT)).toEqual({
      reason: 'invalid_state',
    });
  });
});
