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

  it.each(CARDS)(
    '%s is found in the groups of a card, whatever blanks, dashes, dots or slashes are between',
    (card) => {
      const groups = card.replace(/(.{4})(?=.)/g, '$1 ');
      for (const joint of [
        '  ',
        '\t',
        '\n',
        '\r\n',
        ' \n  ',
        '.',
        '. ',
        '/',
        ' / ',
        ' - ',
        '\u2028',
        '\uff0e',
        '\uff0f',
      ]) {
        const text = groups.replaceAll(' ', joint);
        expect([text, containsCardNumber(`card ${text}, thanks`)]).toEqual([text, true]);
      }
    },
  );

  it('is found in the groups of its scheme, and with joints that differ', () => {
    for (const text of ['3782.822463.10005', '3056/930902/5904', '6304\n0000\n00000', '4242 4242\n4242  4242'])
      expect([text, containsCardNumber(text)]).toEqual([text, true]);
  });

  it('is found beside words that only stand beside a card number', () => {
    const card = '4242424242424242';
    for (const text of [
      ...['exp1230', 'EXP 12/30', 'expiry1230', '_exp_1230', 'cvc123', 'cvv', 'valid1230'].map((word) => card + word),
      ...['card', 'Visa', 'visa_', 'my_visa_', 'mastercard', 'creditcard', 'card_number_', 'pan'].map(
        (word) => word + card,
      ),
      'visa4242.4242.4242.4242exp1230',
    ])
      expect([text, containsCardNumber(text)]).toEqual([text, true]);
  });

  it('is not seen in order numbers, lists, digests and dates, although the digits together pass', () => {
    // Without what is between them, the digits of all but the last are a card number.
    const texts = [
      ...['42424242\n42424242', '42424242\t42424242', '42424242  42424242', '42424242/42424242', '424242/4242424242'],
      ...['42.42424242424242', '42.4242424242 4242', '42.424242/42.42424242', '4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2'],
      ...['4242,4242,4242,4242', '4242         4242         4242         4242', '4242:4242:4242:4242'],
      ...['card_4242424242424242', 'discard4242424242424242', 'order4242424242424242', 'japan4242424242424242'],
      ...['4242424242424242express', '4242424242424242validated', '4242424242424242ab12cd34', 'ab4242424242424242cd'],
      ...['4242424242424242deadbeef0123abcd', 'f4242424242424242', '4242424242424242_2', '30.06.2027 31.07.2027'],
    ];
    for (const text of texts) expect([text, containsCardNumber(text)]).toEqual([text, false]);
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
const SHAPES = ['4-4-4-1', '4-4-4-2', '4-4-4-3', '4-4-4-4', '4-4-4-4-3', '4-6-4', '4-6-5', '4-4-5'];
const joints = fc.oneof(
  fc.constantFrom(' ', '-', '.', '/', '\t', '\n'),
  fc.string({ unit: fc.constantFrom(...' -./\t\n'), minLength: 1, maxLength: 10 }),
);
/** As a card has it: most in groups of one of the shapes, with any joints. */
const printed = fc
  .tuple(fc.constantFrom(...CARDS), fc.nat(2), fc.array(joints, { minLength: 4 }))
  .map(([card, at, all]) => {
    const shapes = SHAPES.filter(
      (shape) => shape.split('-').reduce((sum, size) => sum + Number(size), 0) === card.length,
    );
    let [text, rest] = ['', card];
    for (const [index, size] of shapes[at % shapes.length]!.split('-').entries()) {
      text += (index === 0 ? '' : all[index - 1]!) + rest.slice(0, Number(size));
      rest = rest.slice(Number(size));
    }
    return text;
  });
const few = fc.oneof(
  fc.constantFrom('', ' ', '4 ', ' 12', '.'),
  fc.string({ unit: fc.constantFrom(...'4253609 -./\n+a_ü٤😀'), maxLength: 12 }),
);
const digits = fc.string({ unit: fc.constantFrom(...'4236 -./'), maxLength: 60 });
const textsWithDigits = fc.oneof(
  digits,
  fc.tuple(few, grouped, few).map((parts) => parts.join('')),
  fc.tuple(few, printed, few).map((parts) => parts.join('')),
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

const isInPiece = (piece: string): boolean => /^\d(?:[ -]?\d)*$/.test(piece);
const isInGroups = (piece: string): boolean =>
  /^\d+(?:[ \t\n./-]{1,8}\d+)+$/.test(piece) &&
  SHAPES.concat('4-4-4-4-1', '4-4-4-4-2').includes([...piece.matchAll(/\d+/g)].map(([{ length }]) => length).join('-'));

/** The rule in its simplest form, too slow for production. */
function triesEveryPiece(given: string): boolean {
  const text = given.replaceAll('٤', '4');
  for (let start = 0; start < text.length; start++) {
    if (/(?:[\p{L}\p{N}_+]|\d\.)$/u.test(text.slice(0, start))) continue;
    for (let end = start + 13; end <= Math.min(text.length, start + 60); end++) {
      const piece = text.slice(start, end);
      if ((!isInPiece(piece) && !isInGroups(piece)) || /^[\p{L}\p{N}_]/u.test(text.slice(end))) continue;
      if (isCardNumber(piece.replace(/\D/g, ''))) return true;
    }
  }
  return false;
}
