import type { SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema } from '@swim/mongo';
import type { AssessedSkill, ReachedLevel } from './assessment.rules.js';

/** What a school wrote about an assessment; nobody else reads it. */
export interface ProgressNote {
  /** Sealed in the account's vault, base64. */
  sealed: string;
  /** The school. */
  by: string;
  at: Date;
}

/** One who takes lessons. Its readers are its account and the schools that have a session with it; once erased, nobody. */
export interface MemberDocument extends Aggregate {
  accountId: string;
  name: string;
  /** Folded words of the name. */
  searchWords: string[];
  /** YYYY-MM-DD */
  dateOfBirth: string;
  swimmingLevel: SwimmingLevel;
  /** Sealed in the account's vault, base64. */
  medicalNotes: string | null;
  /** JSON, sealed in the account's vault, base64. */
  emergencyContact: string | null;
  skills: AssessedSkill[];
  /** Oldest first; begins with the level at creation. */
  levelHistory: ReachedLevel[];
  /** Oldest first; absent before the first. */
  progressNotes?: ProgressNote[];
  /** Set when its personal data were erased; from then on nobody is among its readers. */
  erasedAt?: Date;
}

const text = { type: String, required: true };

export const memberSchema = aggregateSchema<MemberDocument>({
  accountId: text,
  name: text,
  searchWords: { type: [String], required: true },
  dateOfBirth: text,
  swimmingLevel: text,
  medicalNotes: { type: String, default: null },
  emergencyContact: { type: String, default: null },
  skills: [{ _id: false, code: String, status: String, assessedAt: Date, assessedBy: String }],
  levelHistory: [{ _id: false, level: String, reachedAt: Date }],
  progressNotes: { type: [{ _id: false, sealed: String, by: String, at: Date }], default: undefined },
  erasedAt: Date,
});
// Names are searched among one account's members, which are few: an index of words would cost more than it saves.
memberSchema.index({ accountId: 1, _id: -1 });
