import { expect, it } from '@jest/globals';
import { columnsOf, missingOf, programOf, withChoice } from './columns.ts';

it.each([
  [
    'iClassPro',
    [
      'Family ID',
      'Family Name',
      'Guardian 1 First Name',
      'Guardian 1 Email',
      'Student ID',
      'First Name',
      'Last Name',
      'Birth Date',
      'Health Concerns',
    ],
    { familyId: 0, familyName: 1, familyFirst: 2, familyEmail: 3, id: 4, first: 5, last: 6, born: 7, notes: 8 },
  ],
  [
    'Jackrabbit',
    ['Fam ID', 'Family', 'Stu ID', 'Student First Name', 'Student Last Name', 'DOB', 'Contact #1 Email', 'Level'],
    { familyId: 0, familyName: 1, id: 2, first: 3, last: 4, born: 5, familyEmail: 6, level: 7 },
  ],
  [null, ['Vorname', 'Nachname', 'Geburtsdatum', 'E-Mail-Adresse'], { first: 0, last: 1, born: 2, familyEmail: 3 }],
])('an export of %s is recognised by its titles', (program, titles, columns) => {
  expect(programOf(titles)).toBe(program);
  expect(columnsOf(titles)).toEqual(columns);
  expect(missingOf(columns)).toEqual([]);
});

it('a column has one field, and a field one column', () => {
  const columns = { name: 0, born: 1, familyEmail: 2 };
  expect(withChoice(columns, 3, 'born')).toEqual({ name: 0, born: 3, familyEmail: 2 });
  expect(withChoice(columns, 0, '')).toEqual({ born: 1, familyEmail: 2 });
  expect(missingOf(withChoice(columns, 0, 'familyName'))).toEqual(['name']);
});
