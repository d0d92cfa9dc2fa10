import { type Aggregate, aggregateSchema } from '@swim/mongo';
import type { Card } from '../processor/processor.js';

/** A payment method in a wallet. */
export interface WalletMethod extends Card {
  /** `pm_…`, ours. */
  id: string;
  /** The processor's own name of it. */
  token: string;
}

/** The methods of one account, in one document, so that there is one default at any moment. Its id is the account's. */
export interface Wallet extends Aggregate {
  /** Newest first. */
  methods: WalletMethod[];
  /** Id of the default; null exactly when there are no methods. */
  defaultId: string | null;
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
};

/** Collection `wallets`. */
export const walletSchema = aggregateSchema<Wallet>({
  methods: { type: [method], required: true },
  defaultId: { type: String, default: null },
});
