import { describe, expect, it } from '@jest/globals';
import { changedFacts, consequencesOf, firstRecord, type MemberFacts } from './member.rules.js';

const mia: MemberFacts = {
  name: 'Mia Ruiz',
  dateOfBirth: '2016-02-29',
  swimmingLevel: 'beginner',
  metadata: null,
  medicalNotes: null,
  emergencyContact: null,
};
const nothing = {
  name: undefined,
  dateOfBirth: undefined,
  swimmingLevel: undefined,
  medicalNotes: undefined,
  emergencyContact: undefined,
  metadata: undefined,
};
const now = new Date('2027-01-01T00:00:00Z');

describe('a change of a member', () => {
  it('is empty when no value differs', () => {
    expect(changedFacts(mia, { ...nothing, name: 'Mia Ruiz', medicalNotes: null })).toEqual({});
  });

  it('contains the values that differ, null for removed ones', () => {
    expect(
      changedFacts({ ...mia, medicalNotes: 'Asthma' }, { ...nothing, medicalNotes: null, name: 'Mia Ruiz' }),
    ).toEqual({ medicalNotes: null });
  });

  it('of name updates the search words, of level the history; other fields have no consequence', () => {
    const history = firstRecord(mia, now).levelHistory;
    expect(consequencesOf({ name: 'Mía Díaz' }, history, now)).toEqual({ searchWords: ['mia', 'diaz'] });
    expect(consequencesOf({ swimmingLevel: 'advanced' }, history, now)).toEqual({
      levelHistory: [
        { level: 'beginner', reachedAt: now },
        { level: 'advanced', reachedAt: now },
      ],
    });
    expect(consequencesOf({ medicalNotes: 'x' }, history, now)).toEqual({});
  });
});
