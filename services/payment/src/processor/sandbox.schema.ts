import { Schema } from 'mongoose';
import type { Verdict } from './sandbox.rules.js';

/** A charge as the sandbox processor stores it. */
export interface SandboxCharge extends Verdict {
  /** Id of the payment, the idempotency key of the charge. */
  _id: string;
  token: string;
  amountCents: number;
  currency: string;
  /** When a `processing` charge succeeds, by the database's clock. */
  settlesAt: Date;
  createdAt: Date;
}

/** Collection `processor_charges`. */
export const sandboxChargeSchema = new Schema<SandboxCharge>(
  {
    _id: String,
    token: { type: String, required: true },
    amountCents: { type: Number, required: true },
    currency: { type: String, required: true },
    state: { type: String, required: true },
    failureCode: String,
    settlesAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
