import { describe, expect, it } from '@jest/globals';
import { type SkillStatus, SWIMMING_LEVELS } from '@swim/contracts';
import fc from 'fast-check';
import { nextLevel, percentComplete, skillsToShow } from './progress.rules.js';
import { SKILLS } from './swimming-skills.rules.js';

const codesOf = (level: string) => SKILLS.filter((skill) => skill.level === level).map(({ code }) => code);
const as = (codes: string[], status: SkillStatus) => codes.map((code) => ({ code, status }));

describe('the table of skills', () => {
  it('has skills for each of the six levels, in order, each code unique and prefixed by its level', () => {
    expect([...new Set(SKILLS.map(({ level }) => level))]).toEqual([...SWIMMING_LEVELS]);
    expect(new Set(SKILLS.map(({ code }) => code)).size).toBe(SKILLS.length);
    for (const { code, level } of SKILLS)
      expect(code).toMatch(new RegExp(`^l${SWIMMING_LEVELS.indexOf(level) + 1}_[a-z_]+$`));
    for (const level of SWIMMING_LEVELS) expect(codesOf(level).length).toBeGreaterThanOrEqual(10);
  });
});

describe('progress', () => {
  it('leads from each level to the next and ends with the last', () => {
    expect(SWIMMING_LEVELS.map(nextLevel)).toEqual([...SWIMMING_LEVELS.slice(1), null]);
  });

  it('is 0 with no skill mastered and 100 with all of the level', () => {
    for (const level of SWIMMING_LEVELS) {
      expect(percentComplete(level, [])).toBe(0);
      expect(percentComplete(level, as(codesOf(level), 'developing'))).toBe(0);
      expect(percentComplete(level, as(codesOf(level), 'mastered'))).toBe(100);
    }
  });

  it('counts only skills of the level, once each, and is below 100 while one is missing', () => {
    const codes = codesOf('intermediate');
    fc.assert(
      fc.property(fc.subarray(codes), fc.subarray(codesOf('beginner')), (mastered, below) => {
        const percent = percentComplete('intermediate', as([...mastered, ...mastered, ...below], 'mastered'));
        expect(percent).toBe(Math.floor((100 * mastered.length) / codes.length));
        expect(percent === 100).toBe(mastered.length === codes.length);
      }),
    );
  });

  it('shows the skills of the level, and those of other levels in which one was assessed', () => {
    const codes = (assessed: { code: string; status: SkillStatus }[]) =>
      skillsToShow('intermediate', assessed).map(({ code }) => code);
    expect(codes([])).toEqual(codesOf('intermediate'));
    expect(codes([{ code: 'l1_bobbing', status: 'mastered' }])).toEqual([
      ...codesOf('beginner'),
      ...codesOf('intermediate'),
    ]);
  });
});
