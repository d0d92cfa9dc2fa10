import { expect, it } from '@jest/globals';
import type { Instructor } from '@swim/sdk';
import { areasWith, bodyOf, valuesOf } from './profile-body.ts';

const NORTH = { name: 'North', latitude: 52.6, longitude: 13.4, radius_km: 10, pool_ids: ['pool_north', 'pool_other'] };
const CITY = { name: 'City', latitude: 52.5, longitude: 13.4, radius_km: 20, pool_ids: [] };
const AREAS = [NORTH, CITY];
const OWN = [
  { id: 'pool_north', name: 'North Baths', latitude: 52.61, longitude: 13.41 },
  { id: 'pool_south', name: 'South Baths', latitude: 52.41, longitude: 13.42 },
];
const STORED = {
  name: 'Kim Coach',
  email: 'kim@example.test',
  phone: null,
  bio: null,
  languages: ['de', 'en'],
  levels_taught: ['beginner'],
  service_areas: AREAS,
} as unknown as Instructor;
const bodyWith = (changes: object) => bodyOf({ ...valuesOf(STORED), ...changes }, AREAS, OWN);

it('changes nothing of an instructor whose form is sent as it is', () => {
  expect(bodyWith({})).toEqual(STORED);
});

it('sends each language once, whatever is typed between them', () => {
  expect(bodyWith({ languages: ' de,, en , de ' })).toMatchObject({ languages: ['de', 'en'] });
});

it('sends an emptied text as null', () => {
  expect(bodyWith({ bio: '  ', phone: '' })).toMatchObject({ bio: null, phone: null });
});

it('makes an area of a pool that is added, and keeps areas without pools and pools of others', () => {
  const { id, ...south } = OWN[1]!;
  expect(areasWith(AREAS, [id], OWN)).toEqual([
    { ...NORTH, pool_ids: ['pool_other'] },
    CITY,
    { ...south, radius_km: 50, pool_ids: [id] },
  ]);
  expect(areasWith([{ ...NORTH, pool_ids: ['pool_north'] }], [], OWN)).toEqual([]);
});
