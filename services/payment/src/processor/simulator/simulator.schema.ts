import { indexDue } from '@swim/mongo';
import { Schema } from 'mongoose';
import type { Verdict } from './simulator.rules.js';

/** A refund as the simulator stores it. */
export interface SimulatedRefund {
  /** Its idempotency key. */
  key: string;
  amountCents: number;
  /** `refused`: there is no refund; the key keeps that answer, also for an earlier request that arrives late. */
  state: 'pending' | 'succeeded' | 'failed' | 'refused';
  /** Its state from an instant on, by the database's clock; absent when it does not change. */
  next?: { state: 'succeeded' | 'failed'; at: Date };
}

/** A charge as the simulator stores it. */
export interface SimulatedCharge extends Omit<Verdict, 'state'> {
  /** Id of the payment, the idempotency key of the charge. */
  _id: string;
  token: string;
  amountCents: number;
  currency: string;
  state: Verdict['state'] | 'authorized' | 'voided';
  /** The state of a charge that is `processing` or waits for its cardholder, once it succeeds. */
  settlesAs?: 'succeeded' | 'authorized';
  /** Whether its cardholder authenticated himself; absent until he has, or has failed to. */
  isAuthenticated?: boolean;
  /** When a `processing` charge is settled, by the database's clock. */
  settlesAt: Date;
  refunds?: SimulatedRefund[];
  /** The sum of the refunds that succeed in the end. */
  refundedCents?: number;
  /** When its cardholder disputes it, by the database's clock; absent without a dispute. */
  disputedAt?: Date;
  /** When the dispute is decided; absent while there is no decision to come. */
  decidedAt?: Date;
  /** When the next notice about its dispute or its refunds is due, by the database's clock; null when none is left. */
  noticeAt?: Date | null;
  createdAt: Date;
}

/** Collection `processor_charges`. */
export const simulatedChargeSchema = new Schema<SimulatedCharge>(
  {
    _id: String,
    token: { type: String, required: true },
    amountCents: { type: Number, required: true },
    currency: { type: String, required: true },
    state: { type: String, required: true },
    failureCode: String,
    settlesAs: String,
    isAuthenticated: Boolean,
    settlesAt: { type: Date, required: true },
    refunds: {
      type: [{ _id: false, key: String, amountCents: Number, state: String, next: { state: String, at: Date } }],
      default: undefined,
    },
    refundedCents: Number,
    disputedAt: Date,
    decidedAt: Date,
    noticeAt: Date,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// For the sweep of the simulator's notices, each second.
indexDue(simulatedChargeSchema, 'noticeAt');
