import { type SkillStatus, SWIMMING_LEVELS, type SwimmingLevel } from '@swim/contracts';
import { SKILLS, type Skill } from './swimming-skills.rules.js';

/** The fields of an assessment that the rules need. */
interface Assessed {
  code: string;
  status: SkillStatus;
}

/** The level after this one; null after the last. */
export const nextLevel = (level: SwimmingLevel): SwimmingLevel | null =>
  SWIMMING_LEVELS[SWIMMING_LEVELS.indexOf(level) + 1] ?? null;

/** The skills to show: those of the level, and of every other level in which one was assessed, in the order of the levels. */
export function skillsToShow(level: SwimmingLevel, assessed: readonly Assessed[]): Skill[] {
  const codes = new Set(assessed.map(({ code }) => code));
  const levels = new Set([level, ...SKILLS.filter(({ code }) => codes.has(code)).map((skill) => skill.level)]);
  return SKILLS.filter((skill) => levels.has(skill.level));
}

/** The share of the level that is mastered, in whole percent, rounded down: 100 means every skill. */
export function percentComplete(level: SwimmingLevel, assessed: readonly Assessed[]): number {
  const mastered = new Set(assessed.filter(({ status }) => status === 'mastered').map(({ code }) => code));
  const ofLevel = SKILLS.filter((skill) => skill.level === level);
  return Math.floor((100 * ofLevel.filter(({ code }) => mastered.has(code)).length) / ofLevel.length);
}
