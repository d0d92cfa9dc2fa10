import { expect } from '@jest/globals';
import { createPayment, type InputOf, updateBooking } from '@swim/contracts';
import type { Player } from './player.js';

/** A stored payment, as far as consent is concerned. */
export interface ConsentedPayment {
  bookingId: string;
  status: string;
  amountCents: number;
  refundedCents: number;
  isByConsent?: boolean;
  disputes?: { state: string; amountCents: number }[];
}

/** A movement of a booking's ledger. */
export interface StoredMovement {
  kind: string;
  amountCents: number;
}

const CHARGED = ['succeeded', 'partially_refunded', 'refunded'];

/** The consents that a family gives, and the charges that its school makes by them: a model of the most that may be charged. */
export class ConsentHistory {
  /** The amounts that the family has agreed to for each booking, in all of its consents. */
  private readonly agreedCents = new Map<string, number>();
  /** What the family's changes of sessions can have added at most. */
  private readonly addedCents = new Map<string, number>();

  constructor(private readonly player: Player) {}

  /** The family sets the method by which a booking is charged, or removes it. */
  async give(bookingId: string, card: string | null): Promise<void> {
    const payment_method_id = card === null ? null : await this.player.cardOf(card);
    const input: InputOf<typeof updateBooking> = { booking_id: bookingId, changes: { payment_method_id } };
    const booking = await this.player.request({ operation: updateBooking, input }, this.player.family);
    if (booking && card !== null) add(this.agreedCents, bookingId, booking.amount_cents as number);
  }

  /** The school charges a part of what a booking costs by the consent of its family. */
  async collect(bookingId: string, fraction: number): Promise<void> {
    const booking = this.player.bookings.find(({ id }) => id === bookingId)!;
    const input: InputOf<typeof createPayment> = {
      booking_id: bookingId,
      amount_cents: Math.max(Math.ceil(booking.amount_cents * fraction), 1),
      currency: booking.currency,
    };
    await this.player.request({ operation: createPayment, input }, this.player.school);
  }

  /** A change of the family may add as much as its session costs afterwards. */
  noteAddition(bookingId: string, cents: number): void {
    add(this.addedCents, bookingId, cents);
  }

  /** Without a consent nothing was charged; what was and is not given back is at most what was agreed and added, and fees. */
  expectWithin(bookingId: string, payments: readonly ConsentedPayment[], movements: readonly StoredMovement[]): void {
    const charged = payments.filter(({ isByConsent, status }) => isByConsent && CHARGED.includes(status));
    if (charged.length === 0) return;
    const fees = movements.filter(({ kind, amountCents }) => kind === 'fee' && amountCents > 0);
    const mostCents =
      (this.agreedCents.get(bookingId) ?? Number.NEGATIVE_INFINITY) +
      (this.addedCents.get(bookingId) ?? 0) +
      fees.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const keptCents = charged.reduce((sum, payment) => sum + leftCents(payment), 0);
    expect({ bookingId, keptCents, mostCents, isWithin: keptCents <= mostCents }).toMatchObject({ isWithin: true });
  }
}

const add = (sums: Map<string, number>, id: string, cents: number): void =>
  void sums.set(id, (sums.get(id) ?? 0) + cents);

const leftCents = ({ amountCents, refundedCents, disputes = [] }: ConsentedPayment): number => {
  const lost = disputes.filter(({ state }) => state === 'lost');
  return Math.max(amountCents - refundedCents - lost.reduce((sum, each) => sum + each.amountCents, 0), 0);
};
