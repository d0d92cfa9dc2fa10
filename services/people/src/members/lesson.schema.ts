import type { Session } from '@swim/contracts';
import { Schema } from 'mongoose';

/** What is known of one session of a member: as much as progress counts, and the right of its school to read. */
export interface LessonDocument {
  /** The session's id. */
  _id: string;
  /** The member's account. */
  readers: string[];
  memberId: string;
  /** Ordinal, among the session's events, of the one that this was told by. */
  n: number;
  status: Session['status'];
  attendance: Session['attendance'];
  /** The instructor's school; null when it is the member's own account. Absent in what was stored before rights had an end. */
  schoolId?: string | null;
  endsAt?: Date;
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
// Holds all that is counted, so that the count reads nothing else.
lessonSchema.index({ memberId: 1, status: 1, attendance: 1 });
