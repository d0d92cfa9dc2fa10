import { describe, expect, it } from '@jest/globals';
import { barsOf, monthsUntil } from './months.ts';

describe('the months of statements', () => {
  it('begin with that of the school, which may be the next one already, and go back across a year', () => {
    const now = new Date('2026-01-31T23:30:00Z');
    expect(monthsUntil(now, 'Europe/Berlin', 3)).toEqual(['2026-02', '2026-01', '2025-12']);
    expect(monthsUntil(now, 'UTC', 2)).toEqual(['2026-01', '2025-12']);
  });
});

describe('the bars of a statement', () => {
  it('fill the chart with the largest amount, charged or refunded', () => {
    const days = [
      { date: '2026-11-01', charged_cents: 5000, refunded_cents: 0 },
      { date: '2026-11-02', charged_cents: 2500, refunded_cents: 10_000 },
    ];
    expect(barsOf(days)).toEqual([
      { date: '2026-11-01', up: 0.5, down: 0 },
      { date: '2026-11-02', up: 0.25, down: 1 },
    ]);
  });

  it('are empty in a month without money', () => {
    expect(barsOf([{ date: '2026-11-01', charged_cents: 0, refunded_cents: 0 }])).toEqual([
      { date: '2026-11-01', up: 0, down: 0 },
    ]);
  });
});
