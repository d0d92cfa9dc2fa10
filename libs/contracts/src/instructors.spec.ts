import { describe, expect, it } from '@jest/globals';
import { listInstructors, placeOf } from './instructors.js';

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
    ['9e1', 90],
  ])('is read from %s, as programs spell numbers next to 0', (longitude, value) => {
    const query = { 'location[latitude]': '51.5', 'location[longitude]': longitude, 'location[radius]': '10' };
    expect(listInstructors.input.parse(query)).toMatchObject({ 'location[longitude]': value });
  });

  it('is rejected beyond the globe in any spelling', () => {
    const query = { 'location[latitude]': '51.5', 'location[longitude]': '1e3', 'location[radius]': '10' };
    expect(listInstructors.input.safeParse(query).success).toBe(false);
  });
});
