import { parseDate } from '@internationalized/date';
import { describe, expect, it } from '@jest/globals';
import { periodAround } from './days.ts';
import { type Geometry, placeOf, rowHeightOf, sizeOf, spotAt } from './geometry.ts';
import type { PlacedLesson, Row } from './layout.ts';

const { days } = periodAround(parseDate('2027-03-03'), 'week', 'UTC');
const common = { days, namesWidth: 168, timeZone: 'UTC' };
const along: Geometry = { ...common, axis: { hours: { first: 8, last: 18 }, hourWidth: 12 }, dayWidth: 120 };
const lists: Geometry = { ...common, axis: null, dayWidth: 120 };
const lesson = { day: 2, startMinutes: 9 * 60, minutes: 60, level: 1 } as PlacedLesson;
const TEN_PAST_NINE = { startMinutes: 9 * 60 + 10, grip: 30 };

describe('where a lesson is dragged to', () => {
  it('along the hours is the time of its left edge, in steps of five minutes', () => {
    expect(spotAt(along, 2 * 120 + 2 * 12 + 1.2, TEN_PAST_NINE)).toEqual({ day: 2, minutes: 10 * 60 + 5 });
  });

  it('along the hours lies within those that are shown', () => {
    expect(spotAt(along, -50, TEN_PAST_NINE)).toEqual({ day: 0, minutes: 8 * 60 });
    expect(spotAt(along, 7 * 120 + 50, TEN_PAST_NINE)).toEqual({ day: 6, minutes: 18 * 60 - 5 });
  });

  it('in lists is the day under the pointer, at the time that it had', () => {
    expect(spotAt(lists, 3 * 120 - 10, TEN_PAST_NINE)).toEqual({ day: 3, minutes: 9 * 60 + 10 });
    expect(spotAt(lists, 3 * 120 - 40, TEN_PAST_NINE)).toEqual({ day: 2, minutes: 9 * 60 + 10 });
  });
});

describe('where a lesson stands', () => {
  it('along the hours is as wide as it is long', () => {
    expect(placeOf(along, lesson).left).toBe(2 * 120 + 12);
    expect(sizeOf(along, lesson.minutes).width).toBe(11);
  });

  it('in the list of its day is below those before it, and within the day and the row', () => {
    const { width, height } = sizeOf(lists, lesson.minutes);
    const { left, top } = placeOf(lists, lesson);
    expect(left).toBeGreaterThan(2 * 120);
    expect(left + width).toBeLessThan(3 * 120);
    expect(top).toBeGreaterThanOrEqual(height);
    expect(top + height).toBeLessThan(rowHeightOf(lists, { levels: 2 } as Row));
  });
});
