import { describe, expect, it } from '@jest/globals';
import { type BookingValues, bodyOf } from './booking-body.ts';

const ZONE = 'Europe/Berlin';
const VALUES: BookingValues = {
  members: [{ id: 'mem_1', name: 'Mia' }],
  instructor: 'ins_1',
  date: '2027-03-28',
  time: '16:00',
  minutes: '45',
  weeks: '1',
  skips: false,
  notes: ' ',
  methodId: '',
  creditId: '',
  price: '',
  priceReason: '',
};

describe('the body of a booking', () => {
  it('has one session at the time of the account', () => {
    expect(bodyOf(VALUES, ZONE, 'EUR')).toEqual({
      instructor_id: 'ins_1',
      member_ids: ['mem_1'],
      sessions: [{ date: '2027-03-28T14:00:00.000Z', duration_minutes: 45 }],
    });
  });

  it('has a recurrence on the weekday of the first lesson', () => {
    expect(bodyOf({ ...VALUES, weeks: '8', skips: true, notes: 'Deep end' }, ZONE, 'EUR')).toEqual({
      instructor_id: 'ins_1',
      member_ids: ['mem_1'],
      notes: 'Deep end',
      on_conflict: 'skip',
      recurrence: {
        start_local: '2027-03-28T16:00',
        timezone: ZONE,
        weekdays: ['sun'],
        count: 8,
        duration_minutes: 45,
      },
    });
  });

  it('has the price that the school sets for each session, and why', () => {
    const priced = { ...VALUES, price: '12,5', priceReason: ' Sibling ' };
    expect(bodyOf(priced, ZONE, 'EUR')!.sessions).toEqual([
      { date: '2027-03-28T14:00:00.000Z', duration_minutes: 45, price_cents: 1_250, price_reason: 'Sibling' },
    ]);
    expect(bodyOf({ ...priced, weeks: '2', priceReason: '' }, ZONE, 'JPY')).toBeNull();
    expect(bodyOf({ ...priced, weeks: '2', price: '12' }, ZONE, 'JPY')!.recurrence).toMatchObject({ price_cents: 12 });
  });

  it.each([
    ['members', { members: [] }],
    ['an instructor', { instructor: '' }],
    ['a date', { date: '' }],
    ['a date that exists', { date: '2027-02-30' }],
    ['a time', { time: '' }],
    ['weeks', { weeks: '' }],
    ['fewer weeks', { weeks: '53' }],
  ])('needs %s', (_, changes) => {
    expect(bodyOf({ ...VALUES, ...changes }, ZONE, 'EUR')).toBeNull();
  });
});
