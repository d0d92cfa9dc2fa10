import type { Session } from '@swim/contracts';
import { Schema } from 'mongoose';

/** The stored fields of one session of a member: those that its progress depends on. */
export interface LessonDocument {
  /** The session's id. */
  _id: string;
  /** The member's account. */
  readers: string[];
  memberId: string;
  /** Ordinal, among the session's events, of the one that was consumed last. */
  n: number;
  status: Session['status'];
  attendance: Session['attendance'];
}

export const lessonSchema = new Schema<LessonDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    memberId: { type: String, required: true },
    n: { type: Number, required: true },
    status: { type: String, required: true },
    attendance: { type: String, required: true },
  },
  { versionKey: false },
);
// Covers the count, which then reads no documents.
// For counts of a member's progress.
lessonSchema.index({ memberId: 1, status: 1, attendance: 1 });
