import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cellAt, cellsOf, DAYS, shownHours, stepOf, weeklyOf, withArea, withException } from './hours.ts';

describe('the grid of published hours', () => {
  it('makes the windows of the cells, whatever the cells are', () => {
    const cells = fc.uniqueArray(fc.tuple(fc.nat(6), fc.nat(47)).map(([day, slot]) => cellAt(day, slot * 30)));
    fc.assert(
      fc.property(cells, (chosen) => {
        const weekly = weeklyOf(new Set(chosen), 30);
        expect([...cellsOf(weekly, 30)].toSorted()).toEqual(chosen.toSorted());
      }),
    );
  });

  it('makes one window of neighbours, and ends the day at 24:00', () => {
    const cells = new Set([cellAt(0, 480), cellAt(0, 510), cellAt(0, 600), cellAt(6, 1410)]);
    expect(weeklyOf(cells, 30)).toEqual([
      { day: 'mon', start: '08:00', end: '09:00' },
      { day: 'mon', start: '10:00', end: '10:30' },
      { day: 'sun', start: '23:30', end: '24:00' },
    ]);
  });

  it.each([
    ['down and to the right', [cellAt(1, 540), cellAt(3, 600)]],
    ['up and to the left', [cellAt(3, 600), cellAt(1, 540)]],
    ['up and to the right', [cellAt(1, 600), cellAt(3, 540)]],
  ] as const)('changes the rectangle of a drag %s, and nothing else', (_direction, corners) => {
    const days = ['tue', 'wed', 'thu'] as const;
    const outside = { day: 'tue', start: '12:00', end: '12:30' } as const;
    const on = withArea(cellsOf([outside], 30), corners, 30, true);
    const rectangle = days.map((day) => ({ day, start: '09:00', end: '10:30' }));
    expect(weeklyOf(on, 30)).toEqual([rectangle[0], outside, rectangle[1], rectangle[2]]);
    expect(weeklyOf(withArea(on, corners, 30, false), 30)).toEqual([outside]);
  });

  it.each([
    ['08:00', '12:30', 30],
    ['08:15', '12:00', 15],
    ['08:05', '12:00', 5],
    ['08:07', '12:00', null],
  ])('from %s to %s has cells of %p minutes', (start, end, step) => {
    expect(stepOf([{ day: DAYS[0], start, end }])).toBe(step);
  });

  it('shows all that is published', () => {
    expect(shownHours([])).toEqual({ first: 7, last: 20 });
    expect(shownHours([{ day: 'mon', start: '05:30', end: '23:10' }])).toEqual({ first: 5, last: 24 });
  });
});

describe('an exception from the published hours', () => {
  const CLOSED = { date: '2026-12-24', unavailable: true };

  it('holds on each date of its period, and replaces what held there', () => {
    const period = { from: '2026-12-24', to: '2026-12-25', window: { start: '10:00', end: '12:00' } };
    expect(withException([CLOSED, { date: '2027-01-01', unavailable: true }], period)).toEqual([
      { date: '2026-12-24', windows: [{ start: '10:00', end: '12:00' }] },
      { date: '2026-12-25', windows: [{ start: '10:00', end: '12:00' }] },
      { date: '2027-01-01', unavailable: true },
    ]);
  });

  it('of a period that ends before it begins changes nothing', () => {
    expect(withException([CLOSED], { from: '2026-12-31', to: '2026-12-01', window: null })).toEqual([CLOSED]);
  });
});
