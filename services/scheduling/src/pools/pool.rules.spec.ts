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

describe('the differences of a patch', () => {
  it('are the named fields whose value differs', () => {
    expect(differences(pool, { name: 'Baths', lanes: 4, latitude: 0 })).toEqual({ lanes: 4, latitude: 0 });
  });

  it('include lanes that are set to null', () => {
    expect(differences(pool, { lanes: null })).toEqual({ lanes: null });
    expect(differences({ ...pool, lanes: null }, { lanes: null })).toEqual({});
  });

  it('are none when no value differs', () => {
    expect(differences(pool, pool)).toEqual({});
  });
});
