import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { containsCardNumber } from './card-number.rules.js';

// Test numbers that card schemes and processors publish; none is a real card.
const CARDS = [
  '4242424242424242',
  '4000056655665556',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '3056930009020004',
  '36227206271667',
  '3566002020360505',
  '6200000000000005',
  '4222222222222',
  '6304000000000000',
];

describe('a card number', () => {
  it.each(CARDS)('%s is found alone, in words, and in groups', (card) => {
    const groups = card.replace(/(.{4})(?=.)/g, '$1 ');
    for (const text of [
      card,
      `card ${card}.`,
      `"${card}"`,
      groups,
      groups.replaceAll(' ', '-'),
      `lane 4 ${groups}`,
      `${groups} 12/29`,
    ]) {
      expect([text, containsCardNumber(text)]).toEqual([text, true]);
    }
  });

  it('is found in the digits of any script, with their blanks and dashes', () => {
    const [fullWidth, arabic] = [0xff10, 0x0660].map((zero) =>
      '4242424242424242'.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
    );
    const groups = (joint: string) => Array(4).fill('4242').join(joint);
    for (const text of [
      fullWidth,
      arabic,
      `card ${fullWidth}.`,
      ...['\u00a0', '\u2009', '\u2011', '\u2013'].map(groups),
    ])
      expect([text, containsCardNumber(text!)]).toEqual([text, true]);
    for (const text of [`+${fullWidth}`, fullWidth!.slice(1), groups('\u200b')])
      expect([text, containsCardNumber(text)]).toEqual([text, false]);
  });

  it('is not seen in a number whose check digit or issuer is wrong', () => {
    for (const text of [
      '4242424242424241',
      '1234567812345670',
      '9999999999999995',
      '0000000000000000',
      '424242424242',
    ]) {
      expect([text, containsCardNumber(text)]).toEqual([text, false]);
    }
  });

  it('is not seen in telephone numbers, ids, dates and coordinates', () => {
    const texts = [
      '+4242424242424242',
      '+49 151 1234 5678 901',
      'mem_4242424242424242',
      'ins_01k5zr8q3ve9mbf6w2n0x4ht7c',
      '4242424242424242abc',
      '2027-03-01 2027-03-08',
      '2027-03-01T10:00:00.000Z',
      '0.4242424242424242',
      '{"latitude":52.5200065987654321}',
      'x4242424242424242',
    ];
    for (const text of texts) expect([text, containsCardNumber(text)]).toEqual([text, false]);
  });

  it('is seen wherever trying every piece of a text finds one', () => {
    let seen = 0;
    const property = (text: string) => {
      const isThere = triesEveryPiece(text);
      seen += isThere ? 1 : 0;
      expect([text, containsCardNumber(text)]).toEqual([text, isThere]);
    };
    fc.assert(fc.property(textsWithDigits, property), { numRuns: 3_000 });
    expect(seen).toBeGreaterThan(100);
  });
});

const cuts = fc.array(fc.tuple(fc.nat(18), fc.constantFrom(' ', '-')), { maxLength: 4 });
const grouped = fc
  .tuple(fc.constantFrom(...CARDS), cuts)
  .map(([card, all]) => all.reduce((text, [place, joint]) => text.slice(0, place) + joint + text.slice(place), card));
const few = fc.oneof(
  fc.constantFrom('', ' ', '4 ', ' 12', '.'),
  fc.string({ unit: fc.constantFrom(...'4253609 -.+a_ü٤😀'), maxLength: 12 }),
);
const digits = fc.string({ unit: fc.constantFrom(...'4236 -'), maxLength: 60 });
const textsWithDigits = fc.oneof(
  digits,
  fc.tuple(few, grouped, few).map((parts) => parts.join('')),
  fc.tuple(digits, few, digits).map((parts) => parts.join('')),
);

const ISSUERS: readonly [RegExp, readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|6|8|9)/, [14, 15, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];

function isCardNumber(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && ISSUERS.some(([start, lengths]) => lengths.includes(number.length) && start.test(number));
}

/** The rule in its simplest form, too slow for production. */
function triesEveryPiece(given: string): boolean {
  const text = given.replaceAll('٤', '4');
  for (let start = 0; start < text.length; start++) {
    if (/(?:[\p{L}\p{N}_+]|\d\.)$/u.test(text.slice(0, start))) continue;
    for (let end = start + 13; end <= Math.min(text.length, start + 40); end++) {
      const piece = text.slice(start, end);
      if (!/^\d(?:[ -]?\d)*$/.test(piece) || /^[\p{L}\p{N}_]/u.test(text.slice(end))) continue;
      if (isCardNumber(piece.replace(/[ -]/g, ''))) return true;
    }
  }
  return false;
}
