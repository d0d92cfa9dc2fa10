import type { SwimmingLevel } from '@swim/contracts';
import { type Aggregate, aggregateSchema } from '@swim/mongo';
import type { SchoolRight } from './member-readers.rules.js';
import type { AssessedSkill, ReachedLevel } from './progress/assessment.rules.js';

/** A school's note on an assessment; only that school may read it. */
export interface ProgressNote {
  /** Binds the encrypted text to this note. */
  id: string;
  /** Encrypted with the member's key. */
  sealed: string;
  /** The school. */
  by: string;
  at: Date;
}

/**
 * A person who takes lessons. Its account is its reader, and each school whose active connection names it; once erased it has
 * no readers.
 */
export interface MemberDocument extends Aggregate {
  accountId: string;
  /** Schools that a connection names it to, or once did. */
  schools: SchoolRight[];
  name: string;
  /** Folded words of the name. */
  searchWords: string[];
  /** YYYY-MM-DD */
  dateOfBirth: string;
  swimmingLevel: SwimmingLevel;
  /** Encrypted with the member's key. */
  medicalNotes: string | null;
  /** JSON, encrypted with the member's key. */
  emergencyContact: string | null;
  /** JSON, encrypted with the member's key; absent where there is none. */
  metadata?: string | null;
  /** One for each entry of the metadata, by which lists filter. */
  metadataTokens?: string[];
  skills: AssessedSkill[];
  /** Oldest first; begins with the level at creation. */
  levelHistory: ReachedLevel[];
  /** Oldest first; absent before the first. */
  progressNotes?: ProgressNote[];
  /** Set when its personal data were erased; from then on it has no readers. */
  erasedAt?: Date;
}

const text = { type: String, required: true };

export const memberSchema = aggregateSchema<MemberDocument>({
  accountId: text,
  schools: [{ _id: false, id: String, isActive: Boolean, generation: Number, revision: Number }],
  name: text,
  searchWords: { type: [String], required: true },
  dateOfBirth: text,
  swimmingLevel: text,
  medicalNotes: { type: String, default: null },
  emergencyContact: { type: String, default: null },
  metadata: String,
  metadataTokens: { type: [String], default: undefined },
  skills: [{ _id: false, code: String, status: String, assessedAt: Date, assessedBy: String }],
  levelHistory: [{ _id: false, level: String, reachedAt: Date }],
  progressNotes: { type: [{ _id: false, id: String, sealed: String, by: String, at: Date }], default: undefined },
  erasedAt: Date,
});
// Names are searched among one account's members, which are few: an index of words would cost more than it saves.
// For `GET /accounts/{id}/members`; erasure of an account.
memberSchema.index({ accountId: 1, _id: -1 });
// For `GET /members` by a school: its pupils.
memberSchema.index({ 'schools.id': 1, _id: -1 });
