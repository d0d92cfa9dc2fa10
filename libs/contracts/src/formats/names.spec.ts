import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { updateAccount } from '../accounts/accounts.js';
import { createKey } from '../accounts/keys.js';
import { createInstructor } from '../people/instructors.js';
import { createMember } from '../people/members.js';
import { createPool } from '../scheduling/pools.js';
import { validationErrorOf } from '../validation/validation-error.js';
import { nameText, notBlank, text } from './formats.js';

const id = (prefix: string) => `${prefix}_01k5zr8q3ve9mbf6w2n0x4ht7c`;
const INVISIBLE = '\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029';
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter((each) =>
  /\p{Cc}/u.test(each),
);
const forbidden = fc.constantFrom(...CONTROLS, ...INVISIBLE);
const harmless = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => !/\p{Cc}/u.test(name));
const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('a name', () => {
  it('with a control character, mark of direction or zero-width space anywhere is rejected', () => {
    fc.assert(
      fc.property(harmless, forbidden, harmless, (before, character, after) => {
        expect(accepts(nameText(200), before + character + after)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['Zoë', 'Đặng Thị Ánh', 'יעל', 'مریم', 'می‌خواهم', '山田 太郎', "O'Neill-Ruiz", '👩‍🏫'])(
    '%s is one',
    (name) => {
      expect(nameText(200).parse(name)).toBe(name);
    },
  );
});

describe('free text', () => {
  it('is rejected for a control character unless it is a tab or part of a line break', () => {
    fc.assert(
      fc.property(harmless, fc.constantFrom(...CONTROLS), harmless, (before, character, after) => {
        expect(accepts(text(200), before + character + after)).toBe('\t\n'.includes(character));
      }),
      { numRuns: 1_000 },
    );
    expect(accepts(text(200), '\u202eright to left, one\r\nand two')).toBe(true);
  });
});

describe('the pattern in the JSON Schema', () => {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(' ', '\t', '\n', '\r', '\ufeff', '\u00a0', '\u3000', '\u180e') },
    { weight: 1, arbitrary: forbidden },
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  );
  const samples = fc.array(unit, { minLength: 1, maxLength: 6 }).map((units) => units.join(''));
  it.each([
    ['free text', text(200)],
    ['a name', nameText(200)],
    ['a name that is more than blanks', notBlank(200)],
  ])('of %s matches what is accepted', (_, schema) => {
    const { pattern } = z.toJSONSchema(schema) as { pattern: string };
    const expression = new RegExp(pattern);
    fc.assert(
      fc.property(samples, (sample) => {
        expect([sample, expression.test(sample)]).toEqual([sample, accepts(schema, sample)]);
      }),
      { numRuns: 1_000 },
    );
  });
});

const area = { name: 'Centre', latitude: 1, longitude: 2, radius_km: 5 };
const coach = { name: 'Ana', email: 'ana@example.test', hourly_rate_cents: 1 };
const member = { account_id: id('acct'), name: 'Kim', date_of_birth: '2017-05-04' };
const contact = { name: 'Ana', phone: '+14155552671', relationship: 'mother' };
const bath = { name: 'Baths', address: 'Uferweg 1', latitude: 1, longitude: 2, timezone: 'UTC' };

describe('every field that is a name', () => {
  const FIELDS: [string, z.ZodType, (name: string) => object, string][] = [
    ['an account', updateAccount.input, (name) => ({ account_id: id('acct'), changes: { name } }), 'changes.name'],
    ['a key', createKey.input, (name) => ({ account_id: id('acct'), name }), 'name'],
    ['a member', createMember.input, (name) => ({ ...member, name }), 'name'],
    [
      'an emergency contact',
      createMember.input,
      (name) => ({ ...member, emergency_contact: { ...contact, name } }),
      'emergency_contact.name',
    ],
    [
      'a relationship',
      createMember.input,
      (relationship) => ({ ...member, emergency_contact: { ...contact, relationship } }),
      'emergency_contact.relationship',
    ],
    ['an instructor', createInstructor.input, (name) => ({ ...coach, name }), 'name'],
    [
      'a certification',
      createInstructor.input,
      (type) => ({ ...coach, certifications: [{ type }] }),
      'certifications.0.type',
    ],
    [
      'its issuer',
      createInstructor.input,
      (issuer) => ({ ...coach, certifications: [{ type: 'wsi', issuer }] }),
      'certifications.0.issuer',
    ],
    [
      'a service area',
      createInstructor.input,
      (name) => ({ ...coach, service_areas: [{ ...area, name }] }),
      'service_areas.0.name',
    ],
    ['a language', createInstructor.input, (language) => ({ ...coach, languages: [language] }), 'languages.0'],
    ['a pool', createPool.input, (name) => ({ ...bath, name }), 'name'],
  ];
  it.each(FIELDS)('%s is rejected with one reason, at its field', (_, schema, bodyWith, field) => {
    expect(accepts(schema, bodyWith('Kim'))).toBe(true);
    for (const character of ['\0', '\n', '\t', '\x7f', '\u202e', '\u2066', '\u200b', '\u061c']) {
      const parsed = schema.safeParse(bodyWith(`Ki${character}m`), { reportInput: true });
      expect(parsed.success ? null : validationErrorOf(parsed.error).details.errors).toEqual([
        expect.objectContaining({ field, reason: 'forbidden_characters' }),
      ]);
    }
  });
});
