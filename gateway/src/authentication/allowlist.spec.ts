import { describe, expect, it } from '@jest/globals';
import { Allowlist } from './allowlist.js';

const allowed = (entries: string[], ...addresses: string[]) => {
  const list = new Allowlist(entries);
  return addresses.map((address) => list.has(address));
};

describe('an allow-list', () => {
  it('holds addresses and ranges of both families; what is neither allows nobody', () => {
    const entries = ['192.0.2.7', '198.51.100.9/24', '2001:db8::/32', '::1', 'nonsense'];
    expect(allowed(entries, '192.0.2.7', '198.51.100.200', '2001:db8:1::1', '::1')).toEqual([true, true, true, true]);
    expect(allowed(entries, '192.0.2.8', '198.51.101.1', '2001:db9::1', '::2', 'nonsense', '')).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('of all addresses of one family allows none of the other', () => {
    expect(allowed(['::/0'], '2001:db8::1', '192.0.2.7')).toEqual([true, false]);
    expect(allowed(['0.0.0.0/0'], '2001:db8::1', '192.0.2.7')).toEqual([false, true]);
  });
});
