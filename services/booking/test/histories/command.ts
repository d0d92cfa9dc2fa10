import fc from 'fast-check';
import type { History } from './history.js';

/** What a history has by its model: commands that need a booking, a payment or a lesson do not come before the first. */
export interface Model {
  bookings: number;
  payments: number;
  lessons: number;
}

type Needs = keyof Model | null;

/** One command of a history; as text it shows what it does. */
export class Command implements fc.AsyncCommand<Model, History> {
  constructor(
    private readonly text: string,
    private readonly needs: Needs,
    private readonly makes: Needs,
    readonly perform: (history: History) => Promise<unknown>,
  ) {}

  check(model: Readonly<Model>): boolean {
    return this.needs === null || model[this.needs] > 0;
  }

  async run(model: Model, history: History): Promise<void> {
    if (this.makes) model[this.makes]++;
    history.log.push(this.text);
    await this.perform(history);
  }

  toString(): string {
    return this.text;
  }
}

export const index = fc.nat(7);
export const fraction = fc.constantFrom(0.3, 0.5, 1, 1, 1);
export const side = fc.constantFrom<'family' | 'school'>('family', 'family', 'school');
export const refundAs = fc.constantFrom<'payment_method' | 'credit'>('payment_method', 'payment_method', 'credit');
const CARDS = ['pm_card_visa', 'pm_card_timeout', 'pm_card_declined', 'pm_card_refund_fails'];
const DISPUTED = ['pm_card_dispute_lost', 'pm_card_dispute_won', 'pm_card_createDispute'];
export const card = fc.oneof(
  { weight: 12, arbitrary: fc.constant('pm_card_visa') },
  { weight: 3, arbitrary: fc.constantFrom(...CARDS) },
  { weight: 3, arbitrary: fc.constantFrom(...DISPUTED) },
);
export const policies = fc.record({
  requirePrepayment: fc.constantFrom(false, false, true),
  lateFeePercent: fc.constantFrom(0, 33, 50, 100),
  noShowFeePercent: fc.constantFrom(0, 50, 100),
});
