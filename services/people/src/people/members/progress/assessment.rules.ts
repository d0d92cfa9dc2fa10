import type { SkillStatus, SwimmingLevel } from '@swim/contracts';
import { nextLevel } from './progress.rules.js';
import { SKILLS } from './swimming-skills.rules.js';

/** A school's assessment of one skill. */
export interface Finding {
  code: string;
  status: SkillStatus;
}

/** A stored assessment of a skill, with its time and account. */
export interface AssessedSkill extends Finding {
  assessedAt: Date;
  assessedBy: string;
}

/** When a member reached a level. */
export interface ReachedLevel {
  level: SwimmingLevel;
  reachedAt: Date;
}

/** The fields of a member that an assessment changes. */
export interface Standing {
  swimmingLevel: SwimmingLevel;
  skills: AssessedSkill[];
  levelHistory: ReachedLevel[];
}

const KNOWN = new Set(SKILLS.map(({ code }) => code));

/** Index of the first assessment of an unknown skill; -1 when all are known. */
export const unknownSkillAmong = (findings: readonly Finding[]): number =>
  findings.findIndex(({ code }) => !KNOWN.has(code));

const isMastered = (level: SwimmingLevel, skills: readonly Finding[]): boolean => {
  const mastered = new Set(skills.filter(({ status }) => status === 'mastered').map(({ code }) => code));
  return SKILLS.every((skill) => skill.level !== level || mastered.has(skill.code));
};

/**
 * The levels that follow from the mastered skills, lowest first: each after one of which every skill is mastered. The level
 * never decreases.
 */
export function levelsReached(from: SwimmingLevel, skills: readonly Finding[]): SwimmingLevel[] {
  const reached: SwimmingLevel[] = [];
  for (let level = from; isMastered(level, skills); ) {
    const next = nextLevel(level);
    if (!next) break;
    reached.push(next);
    level = next;
  }
  return reached;
}

/** A member's fields after an assessment by an account: new results replace earlier ones of the same skill. */
export function standingAfter(now: Standing, findings: readonly Finding[], by: string, at: Date): Standing {
  const found = new Map(findings.map(({ code, status }) => [code, { code, status, assessedAt: at, assessedBy: by }]));
  const kept = now.skills.filter(({ code }) => !found.has(code));
  const skills = [...kept, ...found.values()];
  const reached = levelsReached(now.swimmingLevel, skills);
  return {
    swimmingLevel: reached.at(-1) ?? now.swimmingLevel,
    skills,
    levelHistory: [...now.levelHistory, ...reached.map((level) => ({ level, reachedAt: at }))],
  };
}

/** Stored notes per school. */
export const NOTES_KEPT = 20;

/** The notes with one more; of each account the newest are kept. */
export function withNote<N extends { by: string }>(notes: readonly N[], note: N): N[] {
  const own = notes.filter(({ by }) => by === note.by);
  const oldest = own.length < NOTES_KEPT ? null : own[0];
  return [...notes.filter((each) => each !== oldest), note];
}
