import { type Aggregate, aggregateSchema } from '@swim/mongo';
import { Schema } from 'mongoose';

/** An account's review of an instructor after a session. */
export interface ReviewDocument extends Aggregate {
  instructorId: string;
  /** Unique: one review per session. */
  sessionId: string;
  /** The account that wrote it, which no other account may see. */
  authorId: string;
  /** 1 to 5. */
  stars: number;
  /** Stored encrypted. */
  comment: string | null;
  /** The session's member, whose key encrypts the comment; null once the review is anonymous. */
  memberId: string | null;
  /** Whether the instructor's rating is known to include it. */
  counted: boolean;
  /** When the next attempt to count it is due; absent unless one failed. */
  countAt?: Date;
}

const text = { type: String, required: true };

export const reviewSchema = aggregateSchema<ReviewDocument>({
  instructorId: text,
  sessionId: text,
  authorId: text,
  stars: { type: Number, required: true },
  // Encrypted.
  comment: { type: Schema.Types.Mixed, default: null },
  memberId: { type: String, default: null },
  counted: { type: Boolean, required: true },
  countAt: Date,
});
// For one review per session.
reviewSchema.index({ sessionId: 1 }, { unique: true });
// For `GET /instructors/{id}/reviews`; the rating.
reviewSchema.index({ instructorId: 1, _id: -1 });
// For the sweep of reviews that no rating includes.
reviewSchema.index({ counted: 1 });
