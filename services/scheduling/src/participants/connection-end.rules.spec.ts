import { describe, expect, it } from '@jest/globals';
import { isVoid, voidBy } from './connection-end.rules.js';

const ENDED = {
  _id: 'school|family',
  readers: [],
  schoolId: 'school',
  accountId: 'family',
  generation: 5,
  end: { generation: 3, by: 'school' as const, notify: true },
  left: [{ memberId: 'leo', generation: 5 }],
};

describe('what was planned for a member', () => {
  it.each([
    ['mia', undefined, true],
    ['mia', 2, true],
    ['mia', 3, false],
    ['leo', 4, true],
    ['leo', 5, false],
  ])('%s in generation %s: void %s', (memberId, connectionGen, expected) => {
    expect(isVoid(ENDED, { memberId, connectionGen })).toBe(expected);
  });
});

describe('what is void', () => {
  it('is so by the side that has ended the connection, or by the account that has left a member out', () => {
    expect(voidBy(ENDED).map(({ by }) => by)).toEqual(['school', 'family']);
    expect(voidBy({ ...ENDED, end: null, left: [] })).toEqual([]);
  });
});
