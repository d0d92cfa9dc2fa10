import { expect, it } from '@jest/globals';
import type { SwimClass } from '@swim/sdk';
import { USUAL_TEACHING } from '../../design/teaching/teaching.ts';
import { bodyOf, type ClassValues, changesOf, valuesOf } from './class-body.ts';

const values: ClassValues = {
  ...USUAL_TEACHING,
  instructor: 'ins_1',
  price: '18.50',
  name: ' Sharks ',
  description: '',
  date: '2027-03-01',
  time: '16:00',
  weekdays: ['mon'],
  count: '3',
  except: ['2027-03-08', '2027-03-09'],
  outsideHours: false,
};
const reading = { timeZone: 'Europe/Berlin', currency: 'EUR' };
const recurrence = {
  start_local: '2027-03-01T16:00',
  timezone: 'Europe/Berlin',
  weekdays: ['mon'],
  count: 3,
  except: ['2027-03-08'],
};
const stored = { ...bodyOf(values, reading), currency: 'EUR', location: null, version: 4 } as unknown as SwimClass;

it('a form is a class, without exceptions that are none of its dates', () => {
  expect(bodyOf(values, reading)).toMatchObject({ name: 'Sharks', description: null, price_cents: 1850, recurrence });
});

it.each([
  ['a name', { name: ' ' }],
  ['a weekday', { weekdays: [] }],
  ['a number of dates', { count: '53' }],
  ['a price', { price: 'x' }],
])('a form without %s is none', (_, changes) => {
  expect(bodyOf({ ...values, ...changes }, reading)).toBeNull();
});

it('the form of a class changes what differs', () => {
  expect(changesOf(stored, valuesOf(stored))).toBeNull();
  expect(changesOf(stored, { ...valuesOf(stored), time: '17:00', capacity: '8', count: '4' })).toEqual({
    capacity: 8,
    recurrence: { start_local: '2027-03-01T17:00', count: 4 },
    version: 4,
  });
});

it('a class that ends by a day keeps that end until its number of dates changes', () => {
  const { count: _, ...rule } = recurrence;
  const byDay = { ...stored, recurrence: { ...rule, until: '2027-03-15' } } as unknown as SwimClass;
  expect(valuesOf(byDay).count).toBe('3');
  expect(changesOf(byDay, { ...valuesOf(byDay), name: 'Rays' })).toEqual({ name: 'Rays', version: 4 });
});
