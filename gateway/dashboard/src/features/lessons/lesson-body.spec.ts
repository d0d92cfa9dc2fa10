import { describe, expect, it } from '@jest/globals';
import type { Lesson } from '@swim/sdk';
import { bodyOf, changesOf, type LessonValues, valuesOf } from './lesson-body.ts';

const READING = { timeZone: 'Europe/Berlin', currency: 'EUR' };
const VALUES: LessonValues = {
  instructor: 'ins_1',
  date: '2027-03-28',
  time: '16:00',
  minutes: '45',
  pool: '',
  capacity: '6',
  levels: ['beginner'],
  minAge: '5',
  maxAge: '',
  price: '12,50',
  bookable: true,
  outsideHours: false,
};
const LESSON = {
  id: 'lsn_1',
  instructor_id: 'ins_1',
  date: '2027-03-28T14:00:00.000Z',
  duration_minutes: 45,
  location: { type: 'pool', pool_id: 'pool_1' },
  capacity: 6,
  levels: ['beginner'],
  min_age_years: 5,
  max_age_years: null,
  price_cents: 1_250,
  currency: 'EUR',
  bookable: true,
  version: 3,
} as unknown as Lesson;

describe('the body of a lesson', () => {
  it('has its time by the clock of the instructor, and amounts in minor units', () => {
    expect(bodyOf(VALUES, READING)).toEqual({
      instructor_id: 'ins_1',
      date: '2027-03-28T14:00:00.000Z',
      duration_minutes: 45,
      capacity: 6,
      levels: ['beginner'],
      min_age_years: 5,
      max_age_years: null,
      price_cents: 1_250,
      bookable: true,
    });
  });

  it.each([
    ['an instructor', { instructor: '' }],
    ['a date that exists', { date: '2027-02-30' }],
    ['a length', { minutes: '' }],
    ['a number of places', { capacity: 'six' }],
    ['ages that are numbers', { minAge: 'five' }],
    ['a price', { price: '' }],
  ])('needs %s', (_, changes) => {
    expect(bodyOf({ ...VALUES, ...changes }, READING)).toBeNull();
  });
});

describe('the changes of a lesson', () => {
  const values = valuesOf(LESSON, READING.timeZone);

  it('are none of an untouched form', () => {
    expect(values).toEqual({ ...VALUES, pool: 'pool_1', price: '12.50' });
    expect(changesOf(LESSON, values, READING)).toBeNull();
  });

  it('are the fields that differ, with the version that was read', () => {
    expect(changesOf(LESSON, { ...values, time: '17:00', levels: [], outsideHours: true }, READING)).toEqual({
      date: '2027-03-28T15:00:00.000Z',
      levels: [],
      outside_hours: true,
      version: 3,
    });
    expect(changesOf(LESSON, { ...values, pool: 'pool_2' }, READING)).toEqual({
      location: { type: 'pool', pool_id: 'pool_2' },
      version: 3,
    });
  });
});
