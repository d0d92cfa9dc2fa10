import { describe, expect, it } from '@jest/globals';
import { defaultPoolOf, differences } from './pool.rules.js';

const pool = {
  name: 'Baths',
  address: 'Uferweg 1',
  latitude: 52.5,
  longitude: 13.4,
  timezone: 'Europe/Berlin',
  lanes: 6,
};

describe('the default pool of an instructor', () => {
  const known = new Map([
    ['pool_1', { id: 'pool_1', accountId: 'acct_other' }],
    ['pool_2', { id: 'pool_2', accountId: 'acct_own' }],
    ['pool_3', { id: 'pool_3', accountId: 'acct_own' }],
  ]);
  it.each([
    ['the first', ['pool_3', 'pool_2'], 'pool_3'],
    ['the first that exists', ['pool_0', 'pool_2', 'pool_3'], 'pool_2'],
    ['the first of the school', ['pool_1', 'pool_3'], 'pool_3'],
    ['none when no pool is the school’s', ['pool_0', 'pool_1'], undefined],
    ['none without pools', [], undefined],
  ])('is %s', (_, poolIds, expected) => {
    expect(defaultPoolOf({ schoolId: 'acct_own', poolIds }, known)?.id).toBe(expected);
  });
});

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
