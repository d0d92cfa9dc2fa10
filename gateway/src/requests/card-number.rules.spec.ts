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
  '6304000000000000000',
];

/** Sizes of the groups in which cards of this many digits have them. */
const GROUPS: Record<number, readonly number[]> = {
  14: [4, 6, 4],
  15: [4, 6, 5],
  16: [4, 4, 4, 4],
  19: [4, 4, 4, 4, 3],
};

function grouped(card: string, joint: string): string {
  let [start, groups]: [number, string[]] = [0, []];
  for (const size of GROUPS[card.length] ?? [card.length]) {
    groups = [...groups, card.slice(start, start + size)];
    start += size;
  }
  return groups.join(joint);
}

const expectEach = (texts: readonly string[], isThere: boolean) => {
  for (const text of texts) expect([text, containsCardNumber(text)]).toEqual([text, isThere]);
};

describe('a card number', () => {
  it.each(CARDS)('%s is found alone, in words, and in its groups', (card) => {
    const numbers = [card, ...[' ', '-', '  ', ' - '].map((joint) => grouped(card, joint))];
    const around = (number: string) => [number, `card ${number}.`, `card-${number}`, `"${number}"`, `lane 4 ${number}`];
    expectEach(
      numbers.flatMap((number) => [...around(number), `${number} 12/29`, `${number} 123`, `0151 ${number}\n`]),
      true,
    );
  });

  it('is found in the digits of any script, with their blanks and dashes', () => {
    const [fullWidth, arabic] = [0xff10, 0x0660].map((zero) =>
      '4242424242424242'.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
    ) as [string, string];
    const groups = (joint: string) => Array(4).fill('4242').join(joint);
    expectEach(
      [fullWidth, arabic, `card ${fullWidth}.`, ...['\u00a0', '\u2009', '\u2011', '\u2013'].map(groups)],
      true,
    );
    expectEach([`+${fullWidth}`, fullWidth.slice(1), groups('\u200b')], false);
  });

  it('is not seen where a letter, a digit or an underscore is beside it', () => {
    for (const beside of ['a', 'é', '7', '_', '٤'])
      expectEach(
        ['4242424242424242', '4242-4242-4242-4242'].flatMap((card) => [beside + card, card + beside]),
        false,
      );
  });

  it('is not seen in other groups of digits, although the digits together pass', () => {
    expectEach(
      [
        ...['42424242\n42424242', '42424242 42424242', '42424242-42424242', '424242 4242424242', '42 4242424242 4242'],
        ...['42.42424242424242', '4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
        ...['4242,4242,4242,4242', '4242    4242    4242    4242', '4242:4242:4242:4242', '4242\n4242\n4242\n4242'],
        ...['k-37d704c5-4433-05690951-2817', '30.06.2027 31.07.2027', '2027-03-01 2027-03-08'],
      ],
      false,
    );
  });

  it('is not seen in a number whose check digit or issuer is wrong', () => {
    expectEach(['4242424242424241', '1234567812345670', '9999999999999995', '0000000000000000', '424242424242'], false);
  });

  it('is not seen in telephone numbers, ids, dates and coordinates', () => {
    expectEach(
      [
        ...['+4242424242424242', '+49 151 1234 5678 901', 'mem_4242424242424242', 'ins_01k5zr8q3ve9mbf6w2n0x4ht7c'],
        ...['2027-03-01T10:00:00.000Z', '0.4242424242424242', '{"latitude":52.5200065987654321}'],
      ],
      false,
    );
  });

  it('is in none of the UUIDs, which have the same hyphens', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => expect([uuid, containsCardNumber(`k-${uuid}`)]).toEqual([uuid, false])),
      { numRuns: 3_000 },
    );
  });

  it('is searched for in linear time', () => {
    const size = 256 * 1024;
    for (const part of ['4', '4 ', '4242 ', '4242-', '4242 424242 ', '424242424242424 ']) {
      const startedAt = performance.now();
      containsCardNumber(part.repeat(size / part.length));
      // A quadratic search takes minutes.
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    }
  });
});
