import { describe, expect, it } from '@jest/globals';
import { containsCardNumber } from './card-number.rules.js';

// Test numbers that card schemes and processors publish; none belongs to anybody.
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

  it('is sought in time that grows with the text, whatever is in it', () => {
    const texts = [
      `${'1 '.repeat(128_000)}a`,
      `${'4'.repeat(256_000)}a`,
      '4242 '.repeat(51_000),
      '1-'.repeat(128_000),
      '4 '.repeat(128_000),
    ];
    for (const text of texts) {
      const timesMs = [1, 2, 3].map(() => {
        const startedAtMs = performance.now();
        containsCardNumber(text);
        return performance.now() - startedAtMs;
      });
      expect(Math.min(...timesMs)).toBeLessThan(1_000);
    }
  });
});
