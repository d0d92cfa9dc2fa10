import { expect, it } from '@jest/globals';
import { bodyOf, newMember } from './family-body.ts';

it('a new family has what was typed, and nothing of the fields left empty', () => {
  const members = [
    { ...newMember(), name: ' Ava ', born: '2018-05-04', externalId: ' 17 ' },
    { ...newMember(), name: 'Ben', born: '2020-01-31', level: 'advanced' as const },
  ];
  expect(bodyOf({ name: ' The Kims ', email: ' kims@example.com', locale: '', externalId: '', members })).toEqual({
    name: 'The Kims',
    email: 'kims@example.com',
    members: [
      { name: 'Ava', date_of_birth: '2018-05-04', swimming_level: 'beginner', external_id: '17' },
      { name: 'Ben', date_of_birth: '2020-01-31', swimming_level: 'advanced' },
    ],
  });
  expect(bodyOf({ name: 'K', email: 'k@example.com', locale: 'de', externalId: 'F1', members: [] })).toEqual({
    name: 'K',
    email: 'k@example.com',
    locale: 'de',
    external_id: 'F1',
    members: [],
  });
});
