import { type Aggregate, aggregateSchema } from '@swim/mongo';
import { Schema } from 'mongoose';

/** What an account says of an instructor after a session. */
export interface ReviewDocument extends Aggregate {
  instructorId: string;
  /** One review each. */
  sessionId: string;
  /** The account that wrote it, which nobody else is told. */
  authorId: string;
  /** 1 to 5. */
  stars: number;
  /** In the database encrypted. */
  comment: string | null;
  /** The member whose session it was, under whose key the comment is; absent where a former release did not note it. */
  memberId?: string | null;
  /** Whether the instructor's rating is known to hold it. */
  counted: boolean;
  /** When counting it is tried again; absent when that never failed. */
  countAt?: Date;
}

const text = { type: String, required: true };

export const reviewSchema = aggregateSchema<ReviewDocument>({
  instructorId: text,
  sessionId: text,
  authorId: text,
  stars: { type: Number, required: true },
  // Encrypted: what a former release stored is text.
  comment: { type: Schema.Types.Mixed, default: null },
  memberId: { type: String, default: null },
  counted: { type: Boolean, required: true },
  countAt: Date,
});
reviewSchema.index({ sessionId: 1 }, { unique: true });
reviewSchema.index({ instructorId: 1, _id: -1 });
reviewSchema.index({ counted: 1 });
