import { describe, expect, it } from '@jest/globals';
import { differences } from './pool.rules.js';

const pool = {
  name: 'Baths',
  address: 'Uferweg 1',
  latitude: 52.5,
  longitude: 13.4,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

describe('what a patch changes of a pool', () => {
  it('is what it names and what is not so yet', () => {
    expect(differences(pool, { name: 'Baths', lanes: 4, latitude: 0 })).toEqual({ lanes: 4, latitude: 0 });
  });

  it('is also that nobody counts its lanes any more', () => {
    expect(differences(pool, { lanes: null })).toEqual({ lanes: null });
    expect(differences({ ...pool, lanes: null }, { lanes: null })).toBeNull();
  });

  it('is nothing when all is so already', () => {
    expect(differences(pool, pool)).toBeNull();
  });
});
