import { describe, expect, it } from '@jest/globals';
import { bookingQueryOf, filtersOf, paramsOf } from './filters.ts';

const NONE = filtersOf(new URLSearchParams());

describe('the filters of the bookings', () => {
  it('are those of the address, and make it again', () => {
    const address = 'status=pending&member=mem_1&from=2027-03-01';
    expect(paramsOf(filtersOf(new URLSearchParams(address))).toString()).toBe(address);
  });

  it('leave out what is not set', () => {
    expect(bookingQueryOf(NONE, 'Europe/Berlin')).toEqual({});
    expect(paramsOf(NONE).toString()).toBe('');
  });

  it('include the last day whole, also that of 23 hours', () => {
    const filters = { ...NONE, from: '2027-03-28', to: '2027-03-28' };
    expect(bookingQueryOf(filters, 'Europe/Berlin')).toEqual({
      date_from: '2027-03-27T23:00:00.000Z',
      date_to: '2027-03-28T22:00:00.000Z',
    });
  });

  it('ignore a date that is none', () => {
    expect(bookingQueryOf({ ...NONE, from: '2027-02-30x' }, 'Europe/Berlin')).toEqual({});
  });
});
