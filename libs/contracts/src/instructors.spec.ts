import { describe, expect, it } from '@jest/globals';
import { placeOf } from './instructors.js';

describe('the place of a search for instructors', () => {
  it('is the same in both spellings', () => {
    const place = { latitude: 1, longitude: 0, radius: 3 };
    expect(placeOf({ location: place })).toEqual(place);
    expect(placeOf({ 'location[latitude]': 1, 'location[longitude]': 0, 'location[radius]': 3 })).toEqual(place);
    expect(placeOf({})).toBeUndefined();
  });
});
