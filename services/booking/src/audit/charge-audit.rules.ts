import type { LedgerEntry, Movement } from '../money/balance.rules.js';
import { type AuditedPayment, centsOf, chargedCents, type Found, type StoredMoney } from './audited-money.rules.js';

/** Differences between the charges of a ledger and its payments. */
export function differencesOfCharges({ booking, payments }: StoredMoney, movements: Movement[]): Found[] {
  const stored = new Map(payments.map((payment) => [payment._id, payment]));
  const charges = movements.filter(({ kind }) => kind === 'charge');
  const ids = new Set([...stored.keys(), ...charges.map(({ of }) => of)]);
  return [
    ...[...ids].flatMap((id) => differencesOfCharge(stored.get(id), id, charges)),
    ...payments.filter(({ currency }) => currency !== booking.currency).map(({ _id }) => foreignCurrency(_id)),
    ...booking.payments.flatMap((entry) => leftReservation(entry, stored.get(entry.id))),
  ];
}

function differencesOfCharge(payment: AuditedPayment | undefined, paymentId: string, charges: Movement[]): Found[] {
  const own = charges.filter(({ of }) => of === paymentId);
  const [ledgerCents, otherCents] = [centsOf(own), payment ? chargedCents(payment) : 0];
  if (own.length > 1) return [{ kind: 'charged_twice', paymentId, ledgerCents, otherCents }];
  if (ledgerCents !== otherCents) return [{ kind: 'charge_differs', paymentId, ledgerCents, otherCents }];
  const isOtherMethod = own.some(({ method }) => method !== payment?.method);
  return isOtherMethod ? [{ kind: 'method_differs', paymentId, ledgerCents, otherCents }] : [];
}

const foreignCurrency = (paymentId: string): Found => ({
  kind: 'currency_differs',
  paymentId,
  ledgerCents: 0,
  otherCents: 0,
});

const OVER: ReadonlySet<string> = new Set(['failed', 'voided']);

function leftReservation({ id, state, amountCents }: LedgerEntry, payment: AuditedPayment | undefined): Found[] {
  if (state !== 'reserved' && state !== 'authorized') return [];
  if (payment && !OVER.has(payment.status)) return [];
  return [{ kind: 'reservation_left', paymentId: id, ledgerCents: amountCents, otherCents: 0 }];
}
