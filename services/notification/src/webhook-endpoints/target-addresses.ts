import { BlockList, isIP } from 'node:net';

/** What a webhook target may be beside a public address. */
export interface TargetTerms {
  /** Loopback and private networks as well. */
  allowsPrivate: boolean;
}

type Network = readonly [address: string, prefix: number];

// Loopback, RFC 1918 and unique local addresses: in reach of this service only.
const PRIVATE_V4: readonly Network[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const PRIVATE_V6: readonly Network[] = [
  ['::1', 128],
  ['fc00::', 7],
];
// Special-purpose addresses (IANA registries of RFC 6890): "this" network, CGNAT, link-local, documentation, multicast, reserved.
const NEVER_V4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // The metadata service of Azure, a public address by its number.
  ['168.63.129.16', 32],
];
// Within 2000::/3: Teredo and other protocol assignments, documentation, 6to4, which embed or stand for other addresses.
const NEVER_V6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  // Metadata services of AWS and Google Cloud, within the private addresses.
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
];

function listOf(v4: readonly Network[], v6: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of v4) list.addSubnet(address, prefix, 'ipv4');
  for (const [address, prefix] of v6) list.addSubnet(address, prefix, 'ipv6');
  return list;
}

const PRIVATE = listOf(PRIVATE_V4, PRIVATE_V6);
const NEVER = listOf(NEVER_V4, NEVER_V6);
// All of unicast that is routed; what is outside, such as NAT64 (64:ff9b::/96) and mapped IPv4 addresses, is never a target.
const GLOBAL_V6 = listOf([], [['2000::', 3]]);

/** Whether webhooks may be sent to an IP address. False for what is no address, and for one with a zone. */
export function isAllowedAddress(address: string, { allowsPrivate }: TargetTerms): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (NEVER.check(address, type)) return false;
  if (family === 6 && isMapped(address)) return false;
  if (PRIVATE.check(address, type)) return allowsPrivate;
  return family === 4 || GLOBAL_V6.check(address, type);
}

const MAPPED = listOf(
  [],
  [
    ['::', 96],
    ['::ffff:0:0', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
  ],
);
// `::1` is within ::/96 and is loopback, not an embedded IPv4 address.
const isMapped = (address: string): boolean => !LOOPBACK_V6.check(address, 'ipv6') && MAPPED.check(address, 'ipv6');
const LOOPBACK_V6 = listOf([], [['::1', 128]]);

// Names that resolve within a machine, a network or a cloud (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal).
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|localdomain)$/;
const LOOPBACK_NAME = /(?:^|\.)localhost$/;

/** Whether a host name stands for this machine by RFC 6761, whatever a resolver says. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK_NAME.test(withoutDot(hostname));

/** Whether a host name may be a target at all: a name of a local network only where private addresses may. */
export const isAllowedName = (hostname: string, { allowsPrivate }: TargetTerms): boolean =>
  allowsPrivate || !LOCAL_NAME.test(withoutDot(hostname));

/** The host of a URL: an IPv6 address without brackets, a name in lower case without a dot at its end. */
export const hostOf = ({ hostname }: URL): string => withoutDot(hostname.replace(/^\[(.*)\]$/, '$1'));

const withoutDot = (name: string): string => name.toLowerCase().replace(/\.$/, '');
