import { describe, expect, it } from '@jest/globals';
import { de } from './de.ts';
import { en, type TextKey } from './en.ts';
import { es } from './es.ts';
import { filledIn } from './filled-in.ts';
import { fr } from './fr.ts';

const KEYS = Object.keys(en) as TextKey[];
/** The symbol of a unit is the same in every language. */
const UNITS: TextKey[] = ['bookings.minutes', 'calendar.minutes'];
const placeholdersIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(Object.entries({ de, es, fr }))('the texts of the pages in %s', (_locale, texts) => {
  it('have each text of the English ones, and no other', () => {
    expect(Object.keys(texts).toSorted()).toEqual(KEYS.toSorted());
    expect(KEYS.filter((key) => texts[key].trim() === '')).toEqual([]);
  });

  it('have the placeholders of the English ones', () => {
    const wrong = KEYS.filter((key) => placeholdersIn(texts[key]).join() !== placeholdersIn(en[key]).join());
    expect(wrong).toEqual([]);
  });

  it('are written in that language', () => {
    const same = KEYS.filter((key) => texts[key] === en[key] && /\s/.test(en[key]) && !UNITS.includes(key));
    expect(same).toEqual([]);
  });
});

describe('a text with values', () => {
  it('has them in place of their names, and takes no placeholder from a value', () => {
    expect(filledIn('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  });

  it('keeps a placeholder without a value', () => {
    expect(filledIn('{a} {c}', { a: 1 })).toBe('1 {c}');
  });
});
