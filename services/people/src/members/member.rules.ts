import type { SwimmingLevel } from '@swim/contracts';
import { differing, given } from '../changes.rules.js';
import { searchWordsOf } from '../name-search.rules.js';

/** What of a member the rules decide on: its open fields, and the secret ones decrypted. */
export interface MemberFacts {
  name: string;
  dateOfBirth: string;
  swimmingLevel: SwimmingLevel;
  medicalNotes: string | null;
  /** JSON, parts in the order of the contract. */
  emergencyContact: string | null;
}

/** What a request asks for; undefined leaves a fact as it is. */
export type RequestedFacts = { [K in keyof MemberFacts]: MemberFacts[K] | undefined };

/** Those of the wanted facts that differ from what is there; empty when a PATCH repeats it. */
export const changedFacts = (now: MemberFacts, requested: RequestedFacts): Partial<MemberFacts> =>
  differing(now, given(requested));

type History = readonly { level: SwimmingLevel; reachedAt: Date }[];

/** What follows from changed facts: a new name is found by its words, a new level goes into the history. */
export const consequencesOf = ({ name, swimmingLevel }: Partial<MemberFacts>, history: History, now: Date) =>
  given({
    searchWords: name === undefined ? undefined : searchWordsOf(name),
    levelHistory: swimmingLevel === undefined ? undefined : [...history, { level: swimmingLevel, reachedAt: now }],
  });

/** What is left of the personal data of a member that is erased; level, skills and their dates stay, and are nobody's. */
export const NOBODY = {
  name: '',
  searchWords: [],
  dateOfBirth: '',
  medicalNotes: null,
  emergencyContact: null,
  progressNotes: [],
};

/** What a new member starts with beside its facts: not assessed yet, and the first level in the history. */
export const firstRecord = ({ name, swimmingLevel }: MemberFacts, now: Date) => ({
  searchWords: searchWordsOf(name),
  skills: [],
  levelHistory: [{ level: swimmingLevel, reachedAt: now }],
});
