import { inDays } from '@swim/testing';

type Wrong = readonly [what: string, changes: object, reason: string, field: string];

/** Invalid changes of a member, with the reason and the field that the error names. */
export const WRONG_MEMBERS: readonly Wrong[] = [
  [
    'a phone without +',
    { emergency_contact: { name: 'Ana', phone: '4155552671', relationship: 'mother' } },
    'invalid_phone',
    'emergency_contact.phone',
  ],
  ['half a contact', { emergency_contact: { name: 'Ana' } }, 'incomplete_contact', 'emergency_contact.phone'],
  [
    'a contact without a phone',
    { emergency_contact: { name: 'Ana', relationship: 'mother' } },
    'incomplete_contact',
    'emergency_contact.phone',
  ],
  ['a birth tomorrow', { date_of_birth: inDays(1).slice(0, 10) }, 'not_in_past', 'date_of_birth'],
  [
    'a birth 121 years ago',
    { date_of_birth: `${new Date().getUTCFullYear() - 121}${inDays(0).slice(4, 10)}`.replace('02-29', '02-28') },
    'out_of_range',
    'date_of_birth',
  ],
  ['a birth at a time', { date_of_birth: '2017-05-04T00:00:00Z' }, 'invalid_format', 'date_of_birth'],
  ['a name of blanks', { name: '   ' }, 'too_short', 'name'],
  ['a name with NUL', { name: 'Mia\0' }, 'forbidden_characters', 'name'],
  ['half a character', { medical_notes: 'Asthma \ud83c' }, 'forbidden_characters', 'medical_notes'],
  ['an operator', { name: { $ne: null } }, 'invalid_type', 'name'],
  ['a birth in the future', { date_of_birth: inDays(2).slice(0, 10) }, 'not_in_past', 'date_of_birth'],
  ['a birth 130 years ago', { date_of_birth: '1896-01-01' }, 'out_of_range', 'date_of_birth'],
  ['30 February', { date_of_birth: '2017-02-30' }, 'invalid_date', 'date_of_birth'],
  ['an unknown level', { swimming_level: 'shark' }, 'invalid_value', 'swimming_level'],
  ['an empty name', { name: '' }, 'too_short', 'name'],
  ['medical notes that are too long', { medical_notes: 'x'.repeat(5_001) }, 'too_long', 'medical_notes'],
];

const found = { code: 'l1_bobbing', status: 'mastered' };

/** Invalid assessments, with the reason and the field that the error names. */
export const WRONG_ASSESSMENTS: readonly Wrong[] = [
  ['an unknown skill', { skills: [found, { code: 'l7_fly', status: 'mastered' }] }, 'invalid_value', 'skills.1.code'],
  ['the same skill twice', { skills: [found, found] }, 'duplicate_value', 'skills.1.code'],
  ['an unknown status', { skills: [{ ...found, status: 'done' }] }, 'invalid_value', 'skills.0.status'],
  ['no skills', { skills: [] }, 'too_short', 'skills'],
  ['101 skills', { skills: Array.from({ length: 101 }, () => found) }, 'too_long', 'skills'],
  ['a note that is too long', { skills: [found], note: 'x'.repeat(2_001) }, 'too_long', 'note'],
  ['a field within a skill', { skills: [{ ...found, level: 'beginner' }] }, 'unknown_field', 'skills.0.level'],
  ['a level', { skills: [found], swimming_level: 'advanced' }, 'unknown_field', 'swimming_level'],
];
