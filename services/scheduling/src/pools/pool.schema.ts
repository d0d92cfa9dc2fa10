import { type Aggregate, aggregateSchema } from '@swim/mongo';

/** A pool of a school, as stored; everyone may read it. */
export interface PoolDocument extends Aggregate {
  accountId: string;
  name: string;
  address: string;
  latitude: number;
  longitude: number;
  timezone: string;
  lanes: number | null;
}

export const poolSchema = aggregateSchema<PoolDocument>({
  accountId: { type: String, required: true },
  name: { type: String, required: true },
  address: { type: String, required: true },
  latitude: { type: Number, required: true },
  longitude: { type: Number, required: true },
  timezone: { type: String, required: true },
  lanes: { type: Number, default: null },
});
poolSchema.index({ readers: 1, _id: -1 });
