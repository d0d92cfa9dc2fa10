import { describe, expect, it } from '@jest/globals';
import { hourWidthOf } from './zoom.ts';

const widthOf = (hours: { first: number; last: number }, view: object = {}) =>
  hourWidthOf({ span: 'week', zoom: 0, isZoomChosen: false, windowWidth: 1280, ...view }, hours);

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
    expect(widthOf({ first: 8, last: 18 }, { windowWidth: 390, zoom: 1 })).toBe(16);
  });

  it('is that of the chosen zoom', () => {
    expect(widthOf({ first: 8, last: 18 }, { zoom: 2, isZoomChosen: true })).toBe(28);
  });
});
