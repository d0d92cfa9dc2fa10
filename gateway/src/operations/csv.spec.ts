import { describe, expect, it } from '@jest/globals';
import { prefersCsv, toCsv } from './csv.js';

describe('CSV', () => {
  it('has a header, a row for each day, and the totals', () => {
    const days = [
      { date: '2027-03-01', lessons: 2, fees_cents: -5 },
      { date: '2027-03-02', lessons: 0, fees_cents: 0 },
    ];
    expect(toCsv({ days, totals: { lessons: 2, fees_cents: -5 } })).toBe(
      'date,lessons,fees_cents\r\n2027-03-01,2,-5\r\n2027-03-02,0,0\r\ntotal,2,-5\r\n',
    );
  });

  it('has a column for each number of an object', () => {
    const day = { date: '2027-03-01', charged_by_method: { card: 5, cash: 7 } };
    const { date: _, ...totals } = day;
    expect(toCsv({ days: [day], totals })).toBe(
      'date,charged_by_method.card,charged_by_method.cash\r\n2027-03-01,5,7\r\ntotal,5,7\r\n',
    );
  });

  it.each([
    ['text/csv', true],
    ['Text/CSV; charset=utf-8', true],
    ['application/json, text/csv', true],
    ['application/json;q=0.4, text/csv;q=0.5', true],
    ['application/json, text/csv;q=0.9', false],
    ['text/csv;q=0', false],
    ['*/*', false],
    ['application/json', false],
    [undefined, false],
  ])('is what Accept: %s asks for: %s', (accept, expected) => {
    expect(prefersCsv(accept)).toBe(expected);
  });
});
