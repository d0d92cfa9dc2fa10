import { describe, expect, it } from '@jest/globals';
import { placeOf } from './instructor-search.js';
import { listInstructors } from './instructors.js';

describe('the place of a search for instructors', () => {
  it('is the same in both spellings', () => {
    const place = { latitude: 1, longitude: 0, radius: 3 };
    expect(placeOf({ location: place })).toEqual(place);
    expect(placeOf({ 'location[latitude]': 1, 'location[longitude]': 0, 'location[radius]': 3 })).toEqual(place);
    expect(placeOf({})).toBeUndefined();
  });

  it.each([
    ['1e-7', 1e-7],
    ['-2.5E-10', -2.5e-10],
    ['90', 90],
  ])('is read from %s, with the exponent of numbers next to 0', (longitude, value) => {
    const query = { 'location[latitude]': '51.5', 'location[longitude]': longitude, 'location[radius]': '10' };
    expect(listInstructors.input.parse(query)).toMatchObject({ 'location[longitude]': value });
  });

  it.each(['1000', '1e1'])('is rejected beyond the globe, and with a positive exponent: %s', (longitude) => {
    const query = { 'location[latitude]': '51.5', 'location[longitude]': longitude, 'location[radius]': '10' };
    expect(listInstructors.input.safeParse(query).success).toBe(false);
  });
});
