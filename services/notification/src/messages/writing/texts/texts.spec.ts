import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '@swim/contracts';
import type { Texts } from './en.js';
import { filledIn, TEXTS } from './texts.js';

const placeholdersIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LOCALES)('the texts in %s', (locale) => {
  it('have each text of the English ones, and no other', () => {
    expect(Object.keys(TEXTS[locale]).toSorted()).toEqual(Object.keys(TEXTS.en).toSorted());
    for (const text of Object.values(TEXTS[locale])) expect(text.trim()).not.toBe('');
  });

  it.each(Object.keys(TEXTS.en) as (keyof Texts)[])('have the placeholders of %s', (key) => {
    expect(placeholdersIn(TEXTS[locale][key])).toEqual(placeholdersIn(TEXTS.en[key]));
  });

  it('are written in that language', () => {
    if (locale === 'en') return;
    const same = (Object.keys(TEXTS.en) as (keyof Texts)[]).filter((key) => TEXTS[locale][key] === TEXTS.en[key]);
    expect(same).toEqual(['lessonLine']);
  });
});

describe('a filled-in text', () => {
  it('has the values in place of their names, and takes no placeholder from a value', () => {
    expect(filledIn('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
  });

  it('needs each value', () => {
    expect(() => filledIn('{a} {c}', { a: '1' })).toThrow('{c}');
  });
});
