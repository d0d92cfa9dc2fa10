import { type Aggregate, aggregateSchema } from '@swim/mongo';

/** What an account says of an instructor after a session. */
export interface ReviewDocument extends Aggregate {
  instructorId: string;
  /** One review each. */
  sessionId: string;
  /** The account that wrote it, which nobody else is told. */
  authorId: string;
  /** 1 to 5. */
  stars: number;
  comment: string | null;
  /** Whether the instructor's rating is known to hold it. */
  counted: boolean;
}

const text = { type: String, required: true };

export const reviewSchema = aggregateSchema<ReviewDocument>({
  instructorId: text,
  sessionId: text,
  authorId: text,
  stars: { type: Number, required: true },
  comment: { type: String, default: null },
  counted: { type: Boolean, required: true },
});
reviewSchema.index({ sessionId: 1 }, { unique: true });
reviewSchema.index({ instructorId: 1, _id: -1 });
reviewSchema.index({ counted: 1 });
