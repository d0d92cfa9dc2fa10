import { type Aggregate, aggregateSchema, indexDue } from '@swim/mongo';
import type { WalletContents } from './wallet.rules.js';

/** The methods of one account, in one document, so that there is exactly one default at any time. Its id is the account's. */
export interface Wallet extends Aggregate, WalletContents {
  /** When the next method is removed at the processor, by the database's clock; null without one. */
  detachAt?: Date | null;
}

const method = {
  _id: false,
  id: String,
  token: String,
  processor: String,
  brand: String,
  last4: String,
  expMonth: Number,
  expYear: Number,
  updatedAt: Date,
};

/** Collection `wallets`. */
export const walletSchema = aggregateSchema<Wallet>({
  methods: { type: [method], required: true },
  defaultId: { type: String, default: null },
  customerId: String,
  charging: { type: [{ _id: false, methodId: String, paymentId: String }], default: undefined },
  detaching: { type: [String], default: undefined },
  detachAt: Date,
});
// For the account of a method that a school names.
walletSchema.index({ 'methods.id': 1 });
// For the sweep of methods to be removed at the processor, each second.
indexDue(walletSchema, 'detachAt');
