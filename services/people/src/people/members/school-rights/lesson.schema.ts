import type { Session } from '@swim/contracts';
import { Schema } from 'mongoose';

/** The stored fields of one session of a member: those that progress and the school's right to read depend on. */
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
  /** The instructor's school; null where it has no right by it: it is the member's own account, or that has not booked the lesson. */
  schoolId: string | null;
  /** The end that the member's account chose; null where it has not booked the lesson. */
  endsAt: Date | null;
}

export const lessonSchema = new Schema<LessonDocument>(
  {
    _id: { type: String, required: true },
    readers: { type: [String], required: true },
    memberId: { type: String, required: true },
    n: { type: Number, required: true },
    status: { type: String, required: true },
    attendance: { type: String, required: true },
    schoolId: String,
    endsAt: Date,
  },
  { versionKey: false },
);
// Covers the count, which then reads no documents.
// For counts of a member's progress; the last lesson with each school.
lessonSchema.index({ memberId: 1, status: 1, attendance: 1 });
// For the last lesson of a school, which is among a member's last ones.
// For the last lesson with a school, after one was cancelled or moved to an earlier time.
lessonSchema.index({ memberId: 1, endsAt: -1 });
