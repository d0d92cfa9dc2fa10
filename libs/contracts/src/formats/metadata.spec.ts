import { describe, expect, it } from '@jest/globals';
import { metadata, metadataPatch } from './metadata.js';

describe.each([
  ['of a new object', metadata],
  ['of a patch', metadataPatch],
])('metadata %s', (_, schema) => {
  const accepts = (value: object) => schema.safeParse(value).success;

  it.each(['k', '🏊'])('takes keys of 1 to 40 characters: %s', (character) => {
    expect(accepts({ [character.repeat(40)]: 'x' })).toBe(true);
    expect(accepts({ [character.repeat(41)]: 'x' })).toBe(false);
    expect(accepts({ '': 'x' })).toBe(false);
  });

  it.each(['v', '🏊'])('takes texts of at most 500 characters: %s', (character) => {
    expect(accepts({ key: character.repeat(500) })).toBe(true);
    expect(accepts({ key: character.repeat(501) })).toBe(false);
  });
});
