import { describe, expect, it } from '@jest/globals';
import { SKILL_STATUSES, SWIMMING_LEVELS } from '@swim/contracts';
import fc from 'fast-check';
import { levelsReached, NOTES_KEPT, standingAfter, unknownSkillAmong, withNote } from './assessment.rules.js';
import { SKILLS } from './swimming-skills.rules.js';

const mastered = (...levels: string[]) =>
  SKILLS.filter(({ level }) => levels.includes(level)).map(({ code }) => ({ code, status: 'mastered' as const }));
const at = new Date('2027-03-01T16:00:00Z');
const beginner = { swimmingLevel: 'beginner' as const, skills: [], levelHistory: [] };
const findings = fc.uniqueArray(
  fc.record({ code: fc.constantFrom(...SKILLS.map(({ code }) => code)), status: fc.constantFrom(...SKILL_STATUSES) }),
  { selector: ({ code }) => code, minLength: 1 },
);

describe('moving up', () => {
  it('requires every skill of the level, and continues over levels that are mastered already', () => {
    expect(levelsReached('beginner', mastered('beginner').slice(1))).toEqual([]);
    expect(levelsReached('beginner', mastered('beginner'))).toEqual(['advanced_beginner']);
    expect(levelsReached('beginner', mastered('beginner', 'advanced_beginner', 'advanced'))).toEqual([
      'advanced_beginner',
      'intermediate',
    ]);
    expect(levelsReached('beginner', mastered(...SWIMMING_LEVELS))).toEqual(SWIMMING_LEVELS.slice(1));
    expect(levelsReached('proficient', mastered(...SWIMMING_LEVELS))).toEqual([]);
  });

  it('never lowers the level, and adds each level to the history', () => {
    fc.assert(
      fc.property(findings, fc.constantFrom(...SWIMMING_LEVELS), (found, swimmingLevel) => {
        const after = standingAfter({ ...beginner, swimmingLevel }, [...mastered(swimmingLevel), ...found], 'a', at);
        const from = SWIMMING_LEVELS.indexOf(swimmingLevel);
        expect(after.levelHistory.map(({ level }) => level)).toEqual(
          SWIMMING_LEVELS.slice(from + 1, SWIMMING_LEVELS.indexOf(after.swimmingLevel) + 1),
        );
      }),
    );
  });
});

describe('an assessment', () => {
  it('replaces the named skills and keeps the rest, in either order of two about different skills', () => {
    fc.assert(
      fc.property(findings, findings, (all, others) => {
        const codes = new Set(all.map(({ code }) => code));
        const apart = others.filter(({ code }) => !codes.has(code));
        const skills = (first: typeof all, second: typeof all) =>
          standingAfter(standingAfter(beginner, first, 'a', at), second, 'a', at)
            .skills.map(({ code, status }) => `${code} ${status}`)
            .sort();
        expect(skills(all, apart)).toEqual(skills(apart, all));
        expect(skills(others, all)).toEqual(expect.arrayContaining(all.map(({ code, status }) => `${code} ${status}`)));
      }),
    );
  });

  it('reports the position of an unknown skill', () => {
    expect(unknownSkillAmong([{ code: 'l1_bobbing', status: 'mastered' }])).toBe(-1);
    expect(
      unknownSkillAmong([
        { code: 'l1_bobbing', status: 'mastered' },
        { code: 'x', status: 'mastered' },
      ]),
    ).toBe(1);
  });

  it('keeps the newest notes of each school', () => {
    let notes: { by: string; at: number }[] = [{ by: 'b', at: 0 }];
    for (let n = 1; n <= NOTES_KEPT + 2; n++) notes = withNote(notes, { by: 'a', at: n });
    expect(notes.filter(({ by }) => by === 'a').map((note) => note.at)).toEqual(
      Array.from({ length: NOTES_KEPT }, (_, index) => index + 3),
    );
    expect(notes[0]).toEqual({ by: 'b', at: 0 });
  });
});
