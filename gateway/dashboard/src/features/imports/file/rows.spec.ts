import { describe, expect, it } from '@jest/globals';
import { dateOf, isAmbiguous, levelOf, orderOf, partFrom, type Reading, rowOf, unknownLevels } from './rows.ts';

const nameOf = (level: string) => (level === 'beginner' ? 'Anfänger' : level);
const READING: Reading = {
  columns: { first: 0, last: 1, born: 2, familyEmail: 3, contactPhone: 4, level: 5, notes: 6, familyLanguage: 7 },
  order: 'month',
  countryCode: '+1',
  relationship: 'Contact',
  levelName: nameOf,
};

describe('a row of an import', () => {
  it('has the cells of its line, each in its field, and a formula as a text', () => {
    const cells = ['Mia', 'Wave', '5/4/2017', 'w@example.com', '(555) 010-0200', 'Level 3', '=1+1', 'DE-AT'];
    expect(rowOf({ number: 2, cells }, READING)).toEqual({
      name: 'Mia Wave',
      date_of_birth: '2017-05-04',
      swimming_level: 'intermediate',
      medical_notes: '=1+1',
      emergency_contact: { name: '', phone: '+15550100200', relationship: 'Contact' },
      family: { email: 'w@example.com', name: 'Wave', locale: 'de' },
    });
  });

  it('leaves out what its line has not', () => {
    expect(rowOf({ number: 2, cells: ['Mia'] }, READING)).toEqual({
      name: 'Mia',
      date_of_birth: '',
      family: { email: '', name: 'Mia' },
    });
  });
});

it.each([
  ['2017-05-04', 'day', '2017-05-04'],
  ['2017/5/4 00:00', 'day', '2017-05-04'],
  ['4.5.2017', 'month', '2017-05-04'],
  ['5/4/17', 'month', '2017-05-04'],
  ['4/5/98', 'day', '1998-05-04'],
  ['4-5-2017', 'day', '2017-05-04'],
  ['yesterday', 'day', 'yesterday'],
] as const)('the date %s with the %s first is %s', (text, order, date) => {
  expect(dateOf(text, order)).toBe(date);
});

it('tells by a list of dates which part comes first, and when it cannot', () => {
  expect([orderOf(['1/2/2017', '13/2/2017']), orderOf(['1/2/2017', '2/13/2017'])]).toEqual(['day', 'month']);
  expect([isAmbiguous(['1/2/2017']), isAmbiguous(['1.2.2017', '2017-01-02']), isAmbiguous(['1/13/2017'])]).toEqual([
    true,
    false,
    false,
  ]);
});

it('knows levels by the names of the API and of the page, and by number; others are left out', () => {
  expect(['Advanced beginner', 'ANFÄNGER', '6', 'Level 12', 'Starfish'].map((text) => levelOf(text, nameOf))).toEqual([
    'advanced_beginner',
    'beginner',
    'proficient',
    undefined,
    undefined,
  ]);
  const lines = ['Starfish', 'Level 1', 'Starfish', ''].map((level, number) => ({ number, cells: [level] }));
  expect(unknownLevels({ titles: [], lines }, { ...READING, columns: { level: 0 } })).toEqual(['Starfish']);
});

it('sends at most 500 rows and less than 256 KiB at once', () => {
  const rows = Array.from({ length: 1_200 }, (_, at) => ({ at }));
  expect([partFrom(rows, 0).length, partFrom(rows, 1_000)[0], partFrom(rows, 1_200)]).toEqual([500, { at: 1_000 }, []]);
  const long = Array.from({ length: 10 }, () => ({ notes: 'ü'.repeat(50_000) }));
  expect(partFrom(long, 0).length).toBe(2);
});
