import { type Aggregate, aggregateSchema, indexDue, metadataField, type StoredMetadata } from '@swim/mongo';
import { Schema } from 'mongoose';

/** A pool of a school, as stored; everyone may read it. */
export interface PoolDocument extends Aggregate {
  accountId: string;
  name: string;
  address: string;
  latitude: number;
  longitude: number;
  timezone: string;
  /** How many groups may use it at once; null: unlimited. */
  lanes: number | null;
  /** Absent where there is none. */
  metadata?: StoredMetadata;
  /** Set while a removal makes sure that no future session uses the pool. */
  closing: PoolClosing | null;
  /** When it got more lanes, until what they make free has been offered to the waitlist. */
  widenedAt?: Date;
}

/** A removal in progress: it prevents claims on the pool. */
interface PoolClosing {
  /** The removal's lease ends then, by the database's clock. */
  until: Date;
}

export const poolSchema = aggregateSchema<PoolDocument>({
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  address: { type: String, required: true },
  latitude: { type: Number, required: true },
  longitude: { type: Number, required: true },
  timezone: { type: String, required: true },
  lanes: { type: Number, default: null },
  metadata: metadataField,
  closing: { type: Schema.Types.Mixed, default: null },
  widenedAt: Date,
});
// For `GET /pools`.
poolSchema.index({ readers: 1, _id: -1 });
// For `GET /pools?account_id=`; exports, resets and erasures.
poolSchema.index({ accountId: 1, _id: -1 });
// For offers of new lanes, each second.
indexDue(poolSchema, 'widenedAt');
