import { describe, expect, it } from '@jest/globals';
import { bodyOf, degreesOf, lanesOf, type PoolValues, placeOf } from './pool-body.ts';

const VALUES: PoolValues = {
  name: ' Old Baths ',
  address: 'Uferweg 1',
  latitude: '52.5',
  longitude: '-13,4',
  timezone: 'Europe/Berlin',
  lanes: '6',
};

describe('the body of a request for the form of a pool', () => {
  it('has the numbers of the texts, with a point or a comma', () => {
    expect(bodyOf(VALUES)).toEqual({
      name: 'Old Baths',
      address: 'Uferweg 1',
      latitude: 52.5,
      longitude: -13.4,
      timezone: 'Europe/Berlin',
      lanes: 6,
    });
  });

  it('has null for lanes that were emptied: no limit', () => {
    expect(bodyOf({ ...VALUES, lanes: ' ' })).toMatchObject({ lanes: null });
  });

  it.each([
    ['latitude', '90.1'],
    ['latitude', ''],
    ['longitude', '181'],
    ['longitude', '1e2'],
    ['lanes', '0'],
    ['lanes', '101'],
    ['lanes', '2.5'],
    ['timezone', ''],
  ])('is null while a field is wrong: %s %j', (field, text) => {
    expect(bodyOf({ ...VALUES, [field]: text })).toBeNull();
  });
});

describe('the place of a text', () => {
  it.each([
    ['52.532, 13.385', '52.532', '13.385'],
    [' -33.8568 151.2153 ', '-33.8568', '151.2153'],
    ['40.7484; -73.9857', '40.7484', '-73.9857'],
  ])('has both coordinates: %j', (text, latitude, longitude) => {
    expect(placeOf(text)).toEqual({ latitude, longitude });
  });

  it.each(['52.532', '52,532', '52, 13', 'Uferweg 1, 10115', ''])('is null for any other text: %j', (text) => {
    expect(placeOf(text)).toBeNull();
  });
});

describe('the numbers of texts', () => {
  it('include both ends of their ranges', () => {
    expect([degreesOf('-90', 90), degreesOf('180', 180), lanesOf('1'), lanesOf('100')]).toEqual([-90, 180, 1, 100]);
  });
});
