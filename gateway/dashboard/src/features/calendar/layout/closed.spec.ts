import { parseDate } from '@internationalized/date';
import { expect, it } from '@jest/globals';
import type { Closure } from '@swim/sdk';
import { closesDay, withClosed } from './closed.ts';
import { periodAround } from './days.ts';
import type { Row } from './layout.ts';

const timeZone = 'Europe/Berlin';
const { days } = periodAround(parseDate('2027-03-03'), 'week', timeZone);
const rows = ['ins_1', 'ins_2', 'pool_1', 'pool_2'].map((resourceId) => ({ key: resourceId, resourceId }) as Row);

const closedOf = (closure: Partial<Closure>) =>
  withClosed(
    rows,
    [{ id: 'clo_1', reason: 'Repairs', pool_ids: [], instructor_ids: [], ...closure } as unknown as Closure],
    { days, timeZone, poolsOf: (id) => (id === 'ins_1' ? ['pool_1', 'pool_2'] : []) },
  ).flatMap(({ key, closed = [] }) => closed.map((each) => [key, each.day, each.startMinutes, each.endMinutes]));

it('closed time is that of a row with its instructor, day by day, by the clock of the account', () => {
  const time = { from: '2027-03-02T13:30:00.000Z', to: '2027-03-03T23:00:00.000Z' };
  expect(closedOf({ instructor_ids: ['ins_2'], ...time })).toEqual([
    ['ins_2', 1, 14 * 60 + 30, 24 * 60],
    ['ins_2', 2, 0, 24 * 60],
  ]);
});

it('closed time of a pool is that of its lanes, and of instructors all of whose pools are closed', () => {
  const time = { from: '2027-02-20T23:00:00.000Z', to: '2027-03-01T07:00:00.000Z' };
  expect(closedOf({ pool_ids: ['pool_1'], ...time })).toEqual([['pool_1', 0, 0, 8 * 60]]);
  expect(closedOf({ pool_ids: ['pool_2', 'pool_1'], ...time }).map(([key]) => key)).toEqual([
    'ins_1',
    'pool_1',
    'pool_2',
  ]);
});

it.each([
  [0, 8, false],
  [0, 9, true],
  [17, 24, true],
  [18, 24, false],
])('time from %i to %i o’clock closes the day: %s', (first, last, closes) => {
  const time = { key: '', day: 0, reason: '', startMinutes: first * 60, endMinutes: last * 60 };
  expect(closesDay(time)).toBe(closes);
});

it('a closure before or after the days closes none of them', () => {
  expect(closedOf({ pool_ids: ['pool_1'], from: '2027-02-01T00:00:00Z', to: '2027-02-28T23:00:00Z' })).toEqual([]);
  expect(closedOf({ pool_ids: ['pool_1'], from: '2027-03-07T23:00:00Z', to: '2027-03-09T23:00:00Z' })).toEqual([]);
});
