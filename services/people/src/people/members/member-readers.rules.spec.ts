import { describe, expect, it } from '@jest/globals';
import { everyReader, readersOf, withRight } from './member-readers.rules.js';

const right = (id: string, revision: number, isActive = true) => ({ id, generation: 1, revision, isActive });

describe('the readers of a member', () => {
  it('are its account and the schools whose connection names it', () => {
    const member = { readers: ['family'], schools: [right('a', 1), right('b', 2, false)] };
    expect(readersOf(member)).toEqual(['family', 'a']);
    expect(everyReader(member)).toEqual(['family', 'a', 'b']);
  });
});

describe('a right', () => {
  it('of a later revision replaces that of an earlier one, never the reverse', () => {
    const ended = withRight([right('a', 1), right('b', 5)], right('a', 2, false));
    expect(ended).toEqual([right('b', 5), right('a', 2, false)]);
    for (const late of [right('a', 1), right('a', 2)]) expect(withRight(ended!, late)).toBeNull();
    expect(withRight(ended!, right('a', 3))).toEqual([right('b', 5), right('a', 3)]);
  });

  it('that has ended before it was given is not given by a late run of an earlier revision', () => {
    const ended = withRight([], right('a', 2, false));
    expect(ended).toEqual([right('a', 2, false)]);
    expect(withRight(ended!, right('a', 1))).toBeNull();
  });
});
