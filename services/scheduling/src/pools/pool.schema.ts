import { type Aggregate, aggregateSchema } from '@swim/mongo';
import { Schema } from 'mongoose';

/** A pool of a school, as stored; everyone may read it. */
export interface PoolDocument extends Aggregate {
  accountId: string;
  name: string;
  address: string;
  latitude: number;
  longitude: number;
  timezone: string;
  /** How many groups may be in it at once; null: nobody counts. */
  lanes: number | null;
  /** Set while somebody makes sure that nothing is to take place here any more, in order to remove it. */
  closing: PoolClosing | null;
}

/** A removal under way: nothing can be claimed here meanwhile. */
interface PoolClosing {
  /** Until when, by the database's clock, the removal is believed alive. */
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
  closing: { type: Schema.Types.Mixed, default: null },
});
poolSchema.index({ readers: 1, _id: -1 });
