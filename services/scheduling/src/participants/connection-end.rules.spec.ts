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

describe('whether the end of a connection makes void what was planned for a member before it', () => {
  it.each([
    ['mia', undefined, true],
    ['mia', 2, true],
    ['mia', 3, false],
    ['leo', 4, true],
    ['leo', 5, false],
  ])('of %s in generation %s of the connection: %s', (memberId, connectionGen, expected) => {
    expect(isVoid(ENDED, { memberId, connectionGen })).toBe(expected);
  });
});

describe('what was planned before a connection ended', () => {
  it('is cancelled as by the side that has ended the connection, or as by the account that has left a member out', () => {
    expect(voidBy(ENDED).map(({ by }) => by)).toEqual(['school', 'family']);
    expect(voidBy({ ...ENDED, end: null, left: [] })).toEqual([]);
  });
});
