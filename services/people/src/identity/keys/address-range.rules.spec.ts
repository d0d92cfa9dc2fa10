import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { liesWithin } from './address-range.rules.js';

describe('a range of addresses', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.0/24'],
    ['192.0.2.128/25', '192.0.2.0/24'],
    ['192.0.2.9/24', '192.0.2.0/24'],
    ['255.255.255.255', '0.0.0.0/0'],
    ['2001:db8::1', '2001:db8::/32'],
    ['2001:db8:0:0:1::/80', '2001:DB8::/64'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:0200/120'],
  ])('%s lies within %s', (inner, outer) => {
    expect(liesWithin(inner, outer)).toBe(true);
  });

  it.each([
    ['192.0.2.7', '192.0.2.6'],
    ['192.0.2.0/23', '192.0.2.0/24'],
    ['192.0.3.0', '192.0.2.0/24'],
    ['192.0.2.7', '::/0'],
    ['::1', '0.0.0.0/0'],
    ['2001:db9::', '2001:db8::/32'],
    ['::/0', '::/1'],
  ])('%s does not lie within %s', (inner, outer) => {
    expect(liesWithin(inner, outer)).toBe(false);
  });

  it('lies within another if and only if its first and its last address do', () => {
    const address = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
    const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    const bits = fc.integer({ min: 0, max: 32 });
    fc.assert(
      fc.property(number, number, bits, bits, fc.boolean(), (a, b, narrow, wide, isNear) => {
        const start = isNear ? b : a;
        const first = narrow === 0 ? 0 : ((start >>> (32 - narrow)) << (32 - narrow)) >>> 0;
        const last = first + 2 ** (32 - narrow) - 1;
        const outer = `${address(b)}/${wide}`;
        const both = liesWithin(address(first), outer) && liesWithin(address(last), outer);
        expect(liesWithin(`${address(start)}/${narrow}`, outer)).toBe(both);
      }),
    );
  });
});
