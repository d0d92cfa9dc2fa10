import { expect, it } from '@jest/globals';
import type { Instructor } from '@swim/sdk';
import { bodyOf, valuesOf } from './profile-body.ts';

const STORED = {
  name: 'Kim Coach',
  email: 'kim@example.test',
  phone: null,
  bio: null,
  languages: ['de', 'en'],
  levels_taught: ['beginner'],
} as unknown as Instructor;

it('changes nothing of an instructor whose form is sent as it is', () => {
  const { name, email, phone, bio, languages, levels_taught } = STORED;
  expect(bodyOf(valuesOf(STORED))).toEqual({ name, email, phone, bio, languages, levels_taught });
});

it('sends each language once, whatever is typed between them', () => {
  expect(bodyOf({ ...valuesOf(STORED), languages: ' de,, en , de ' })).toMatchObject({ languages: ['de', 'en'] });
});

it('sends an emptied text as null', () => {
  expect(bodyOf({ ...valuesOf(STORED), bio: '  ', phone: '' })).toMatchObject({ bio: null, phone: null });
});
