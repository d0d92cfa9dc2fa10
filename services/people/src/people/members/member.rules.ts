import { type SwimmingLevel, searchWordsOf } from '@swim/contracts';
import { differing, given } from '../../identity/changes.rules.js';

/** The fields of a member that the rules depend on: open ones, and decrypted secret ones. */
export interface MemberFacts {
  name: string;
  dateOfBirth: string;
  swimmingLevel: SwimmingLevel;
  medicalNotes: string | null;
  /** JSON, members in the order of the contract. */
  emergencyContact: string | null;
  /** JSON; null without. */
  metadata: string | null;
}

/** The requested fields; undefined leaves a field unchanged. */
export type RequestedFacts = { [K in keyof MemberFacts]: MemberFacts[K] | undefined };

/** The requested fields that differ; empty when none does. */
export const changedFacts = (now: MemberFacts, requested: RequestedFacts): Partial<MemberFacts> =>
  differing(now, given(requested));

type History = readonly { level: SwimmingLevel; reachedAt: Date }[];

/** Fields derived from changed ones: the search words of a new name, the history with a new level. */
export const consequencesOf = ({ name, swimmingLevel }: Partial<MemberFacts>, history: History, now: Date) =>
  given({
    searchWords: name === undefined ? undefined : searchWordsOf(name),
    levelHistory: swimmingLevel === undefined ? undefined : [...history, { level: swimmingLevel, reachedAt: now }],
  });

/** The fields that replace an erased member's personal data; level, skills and their dates stay, without a person. */
export const NOBODY = {
  name: '',
  searchWords: [],
  dateOfBirth: '',
  medicalNotes: null,
  emergencyContact: null,
  metadata: null,
  metadataTokens: [],
  progressNotes: [],
};

/** The derived fields of a new member: not assessed yet, with the first level in the history. */
export const firstRecord = ({ name, swimmingLevel }: MemberFacts, now: Date) => ({
  searchWords: searchWordsOf(name),
  skills: [],
  levelHistory: [{ level: swimmingLevel, reachedAt: now }],
});
