import { describe, expect, it } from '@jest/globals';
import { weightOf } from './accept-header.js';

describe('the weight of a name in an Accept header', () => {
  it.each([
    ['gzip', 'br, GZIP', 1],
    ['gzip', 'gzip;q=0', 0],
    ['gzip', 'br;q=1, gzip; Q=0.3', 0.3],
    ['gzip', 'gzip;q=many', 0],
    ['*', 'br, *;q=0.1', 0.1],
    ['gzip', 'br', undefined],
    ['gzip', '', undefined],
  ])('of %s in "%s" is %s', (name, header, weight) => {
    expect(weightOf(name, header)).toBe(weight);
  });
});
