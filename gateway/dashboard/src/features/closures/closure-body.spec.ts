import { describe, expect, it } from '@jest/globals';
import { ALL_POOLS, bodyOf, type ClosureValues } from './closure-body.ts';

const READING = { timeZone: 'Europe/Berlin', poolIds: ['pool_1', 'pool_2'] };
const VALUES: ClosureValues = {
  what: 'pool_1',
  firstDay: '2027-03-28',
  lastDay: '',
  hasHours: false,
  start: '',
  end: '',
  reason: ' Repairs ',
  lessons: 'cancel',
  refundAs: 'original',
  notify: true,
};

describe('the body of a closure', () => {
  it('closes one day from midnight to midnight, also when it has 23 hours', () => {
    expect(bodyOf(VALUES, READING)).toEqual({
      pool_ids: ['pool_1'],
      from: '2027-03-27T23:00:00.000Z',
      to: '2027-03-28T22:00:00.000Z',
      reason: 'Repairs',
      lessons: 'cancel',
      refund_as: 'original',
      notify_participants: true,
    });
  });

  it('closes all days until the last one, which is included', () => {
    expect(bodyOf({ ...VALUES, lastDay: '2027-03-31' }, READING)).toMatchObject({ to: '2027-03-31T22:00:00.000Z' });
  });

  it('closes some hours', () => {
    const hours = { hasHours: true, start: '14:00', end: '18:30' };
    expect(bodyOf({ ...VALUES, ...hours }, READING)).toMatchObject({
      from: '2027-03-28T12:00:00.000Z',
      to: '2027-03-28T16:30:00.000Z',
    });
  });

  it('closes an instructor, or every pool', () => {
    expect(bodyOf({ ...VALUES, what: 'ins_1' }, READING)).toMatchObject({ instructor_ids: ['ins_1'] });
    expect(bodyOf({ ...VALUES, what: ALL_POOLS }, READING)).toMatchObject({ pool_ids: ['pool_1', 'pool_2'] });
  });

  it('says nothing about refunds of lessons that are kept', () => {
    expect(Object.keys(bodyOf({ ...VALUES, lessons: 'keep' }, READING)!)).toEqual([
      'pool_ids',
      'from',
      'to',
      'reason',
      'lessons',
    ]);
  });

  it.each([
    ['what is closed', { what: '' }],
    ['a day', { firstDay: '' }],
    ['a reason', { reason: ' ' }],
    ['its hours', { hasHours: true, start: '14:00' }],
    ['a last day that exists', { lastDay: '2027-02-30' }],
  ])('needs %s', (_, changes) => {
    expect(bodyOf({ ...VALUES, ...changes }, READING)).toBeNull();
  });
});
