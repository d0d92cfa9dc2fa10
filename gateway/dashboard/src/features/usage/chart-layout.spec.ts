import { describe, expect, it } from '@jest/globals';
import { labelled, partsOf, roundUp, scaleFor, topOf } from './chart-layout.ts';

const hour = (fields: object = {}) => ({
  start: '2027-03-01T10:00:00.000Z',
  requests: 0,
  client_errors: 0,
  server_errors: 0,
  limited: 0,
  ...fields,
});

describe('the axis of the usage chart', () => {
  it('ends with a round number whose half is whole', () => {
    expect([0, 1, 2, 3, 9, 21, 101, 1_000].map(roundUp)).toEqual([2, 2, 2, 4, 10, 40, 120, 1_000]);
  });

  it('is as high as the limit unless the busiest hour would then be too low to read', () => {
    const limit = 1_000;
    expect(scaleFor([hour({ requests: 50 })], limit)).toBe('limit');
    expect(scaleFor([hour({ requests: 49 })], limit)).toBe('peak');
    expect(scaleFor([], limit)).toBe('peak');
    expect(topOf([hour({ requests: 3 })], limit, 'limit')).toBe(1_000);
    expect(topOf([hour({ requests: 3 })], limit, 'peak')).toBe(4);
  });

  it('ends above the limit where more was requested than it allows', () => {
    expect(topOf([hour({ requests: 1_000, limited: 300 })], 1_000, 'limit')).toBe(1_400);
  });
});

describe('a bar of the usage chart', () => {
  it('has a part of each kind that occurred, from the foot upwards', () => {
    const parts = partsOf(hour({ requests: 60, client_errors: 10, limited: 20 }), 100, 200);
    expect(parts).toEqual([
      { kind: 'succeeded', y: 100, height: 100 },
      { kind: 'client_errors', y: 80, height: 20 },
      { kind: 'limited', y: 40, height: 40 },
    ]);
  });

  it('can be seen however few requests it stands for', () => {
    expect(partsOf(hour({ requests: 1 }), 1_000_000, 200)).toEqual([{ kind: 'succeeded', y: 198, height: 2 }]);
    expect(partsOf(hour(), 100, 200)).toEqual([]);
  });
});

describe('the labels of the hours', () => {
  const starts = (count: number) =>
    Array.from({ length: count }, (_, index) => new Date(Date.UTC(2027, 2, 1, 5 + index)).toISOString());
  const hourOf = (start: string) => new Date(start).getUTCHours();

  it('are as many as fit, at full steps of the day', () => {
    const hours = [...labelled(starts(24), 8, hourOf)].map(hourOf);
    expect(hours).toEqual([6, 9, 12, 15, 18, 21, 0, 3]);
    expect([...labelled(starts(24), 4, hourOf)].map(hourOf)).toEqual([6, 12, 18, 0]);
  });

  it('are days where there are many', () => {
    for (const fitting of [8, 100])
      expect([...labelled(starts(168), fitting, hourOf)].map(hourOf)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(labelled(starts(168), 4, hourOf).size).toBe(4);
    expect(labelled(starts(168), 0.3, hourOf).size).toBe(1);
  });
});
