import type { SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema } from '@swim/mongo';
import type { AssessedSkill, ReachedLevel } from './assessment.rules.js';
import type { SchoolRight } from './school-rights.rules.js';

/** What a school wrote about an assessment; nobody else reads it. */
export interface ProgressNote {
  /** Ties the text to its place; absent in notes of a former release. */
  id?: string;
  /** Sealed in the member's vault. */
  sealed: string;
  /** The school. */
  by: string;
  at: Date;
}

/** One who takes lessons. Its reader is its account, schools read by right of their lessons; once erased, nobody does. */
export interface MemberDocument extends Aggregate {
  accountId: string;
  /** Schools that have, or had, lessons with it; absent while that is not known: then they stand among the readers. */
  schools?: SchoolRight[];
  name: string;
  /** Folded words of the name. */
  searchWords: string[];
  /** YYYY-MM-DD */
  dateOfBirth: string;
  swimmingLevel: SwimmingLevel;
  /** Sealed in the member's vault. */
  medicalNotes: string | null;
  /** JSON, sealed in the member's vault. */
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
  schools: { type: [{ _id: false, id: String, until: Date }], default: undefined },
  name: text,
  searchWords: { type: [String], required: true },
  dateOfBirth: text,
  swimmingLevel: text,
  medicalNotes: { type: String, default: null },
  emergencyContact: { type: String, default: null },
  skills: [{ _id: false, code: String, status: String, assessedAt: Date, assessedBy: String }],
  levelHistory: [{ _id: false, level: String, reachedAt: Date }],
  progressNotes: { type: [{ _id: false, id: String, sealed: String, by: String, at: Date }], default: undefined },
  erasedAt: Date,
});
// Names are searched among one account's members, which are few: an index of words would cost more than it saves.
memberSchema.index({ accountId: 1, _id: -1 });
