import { describe, expect, it } from '@jest/globals';
import { hostOf, isAllowedAddress, isAllowedName, isLoopbackName } from './target-addresses.js';

const PUBLIC = { allowsPrivate: false };
const PRIVATE = { allowsPrivate: true };

describe('an address', () => {
  it.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450:4001::1'])(
    '%s is public and allowed',
    (address) => {
      expect(isAllowedAddress(address, PUBLIC)).toBe(true);
      expect(isAllowedAddress(address, PRIVATE)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '::1',
    'fd12::1',
  ])('%s is private, and allowed only where private addresses are', (address) => {
    expect(isAllowedAddress(address, PUBLIC)).toBe(false);
    expect(isAllowedAddress(address, PRIVATE)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'fd00:ec2::254',
    '100::1',
    'example.com',
    '',
  ])('%s is never allowed', (address) => {
    expect(isAllowedAddress(address, PUBLIC)).toBe(false);
    expect(isAllowedAddress(address, PRIVATE)).toBe(false);
  });
});

describe('the host of a URL', () => {
  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['http://[::FFFF:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://LOCALHOST./', 'localhost'],
    ['http://example.com.:8080/', 'example.com'],
  ])('of %s is %s', (url, host) => {
    expect(hostOf(new URL(url))).toBe(host);
  });
});

describe('a host name', () => {
  it.each(['localhost', 'api.localhost', 'metadata.google.internal', 'printer.local', 'router.lan', 'localhost.'])(
    '%s is that of a local network',
    (name) => {
      expect(isAllowedName(name, PUBLIC)).toBe(false);
      expect(isAllowedName(name, PRIVATE)).toBe(true);
    },
  );

  it.each(['example.com', 'localhost.example.com', 'internal.example.com'])('%s may be public', (name) => {
    expect(isAllowedName(name, PUBLIC)).toBe(true);
    expect(isLoopbackName(name)).toBe(false);
  });
});
