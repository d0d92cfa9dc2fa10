import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Allowlist, clientAddress, networkOf, recordedNetworkOf } from './addresses.js';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8, 'ipv4');
proxies.addSubnet('fd00::', 8, 'ipv6');

const from = (peer: string, forwarded?: string, trusted = proxies) =>
  clientAddress(
    {
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage,
    trusted,
  );

describe("a client's address", () => {
  it('is that of the peer, regardless of the headers of an untrusted peer', () => {
    expect(from('192.0.2.1')).toBe('192.0.2.1');
    expect(from('192.0.2.1', '198.51.100.9')).toBe('192.0.2.1');
    expect(from('10.1.1.1', '198.51.100.9', new BlockList())).toBe('10.1.1.1');
    expect(from('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });

  it('is the last one that is no trusted proxy, regardless of those before it', () => {
    expect(from('10.1.1.1', '198.51.100.9')).toBe('198.51.100.9');
    expect(from('10.1.1.1', '1.1.1.1, 198.51.100.9, 10.2.2.2')).toBe('198.51.100.9');
    expect(from('::ffff:10.1.1.1', '2001:db8::1, fd00::7')).toBe('2001:db8::1');
    expect(from('10.1.1.1', '198.51.100.9:4711')).toBe('198.51.100.9');
    expect(from('10.1.1.1', '[2001:db8::1]:443')).toBe('2001:db8::1');
  });

  it('is the last valid one where the header is malformed', () => {
    expect(from('10.1.1.1', 'unknown')).toBe('10.1.1.1');
    expect(from('10.1.1.1', '198.51.100.9, nonsense, 10.2.2.2')).toBe('10.2.2.2');
    expect(from('10.1.1.1', '10.3.3.3')).toBe('10.3.3.3');
  });
});

describe('the recorded network of an address', () => {
  it('is the /24 of IPv4 and the /64 of IPv6', () => {
    expect(recordedNetworkOf('192.0.2.77')).toBe('192.0.2.0/24');
    expect(recordedNetworkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(recordedNetworkOf('')).toBe('unknown');
  });
});

describe('the network of an address', () => {
  it('is an IPv4 address itself, and the first half of an IPv6 one', () => {
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:0db8:0001:0002::99')).toBe('2001:db8:1:2::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1:2')).toBe('fe80:0:0:0::/64');
  });
});

const allowed = (entries: string[], ...addresses: string[]) => {
  const list = new Allowlist(entries);
  return addresses.map((address) => list.has(address));
};

describe('an allow-list', () => {
  it('has addresses and ranges of both families; any other entry allows no address', () => {
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

  it('with all addresses of one family allows none of the other', () => {
    expect(allowed(['::/0'], '2001:db8::1', '192.0.2.7')).toEqual([true, false]);
    expect(allowed(['0.0.0.0/0'], '2001:db8::1', '192.0.2.7')).toEqual([false, true]);
  });
});
