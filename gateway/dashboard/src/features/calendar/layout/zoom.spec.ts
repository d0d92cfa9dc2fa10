import { describe, expect, it } from '@jest/globals';
import { hourWidthOf, listWidthOf } from './zoom.ts';

const widthOf = (hours: { first: number; last: number }, view: object = {}) =>
  hourWidthOf({ span: 'timeline', step: 0, isChosen: false, windowWidth: 1280, ...view }, hours);

describe('the width of an hour in the calendar', () => {
  it.each([10, 14, 17])('is such that a week of %i hours a day fits into a laptop', (last) => {
    const room = 1280 - 470;
    const width = 7 * last * widthOf({ first: 0, last });
    expect(width).toBeLessThanOrEqual(room);
    expect(width).toBeGreaterThan(room - 7 * last * 0.25);
  });

  it('is not less than a lesson needs to be seen in a week, and its name to be read in a day', () => {
    expect(widthOf({ first: 0, last: 24 }, { windowWidth: 1000 })).toBe(6);
    expect(widthOf({ first: 0, last: 24 }, { span: 'day' })).toBe(48);
  });

  it('on a phone is that of a zoom at which the period can be read', () => {
    expect(widthOf({ first: 8, last: 18 }, { windowWidth: 390, step: 1 })).toBe(16);
  });

  it('is that of the chosen zoom', () => {
    expect(widthOf({ first: 8, last: 18 }, { step: 2, isChosen: true })).toBe(28);
  });
});

describe('the width of a day whose lessons are a list', () => {
  it('is such that a week fills a laptop', () => {
    expect(7 * listWidthOf(1280)).toBeLessThanOrEqual(1280 - 470);
    expect(7 * (listWidthOf(1280) + 1)).toBeGreaterThan(1280 - 470);
  });

  it('on a phone is not less than a time and a name need', () => {
    expect(listWidthOf(390)).toBe(112);
  });
});
