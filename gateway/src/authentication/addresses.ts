import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const PORT = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** An address without port, brackets and the IPv6 form of IPv4; null for any other text. */
function readAddress(text: string): string | null {
  const match = PORT.exec(text);
  const bare = (match?.[1] ?? match?.[2] ?? text).replace(MAPPED, '');
  return isIP(bare) === 0 ? null : bare;
}

/** Whether a list has this address, of either family. */
const listHas = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether the peer of a socket is a trusted proxy. */
export function isTrusted(peer: string | undefined, trustedProxies: BlockList): boolean {
  const address = readAddress(peer ?? '');
  return address !== null && listHas(trustedProxies, address);
}

/**
 * The address of the client: that of the socket's peer, or, where the peer is a trusted proxy, the last address of
 * X-Forwarded-For that is no trusted proxy. The client can write all addresses before that one.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: BlockList): string {
  let address = readAddress(socket.remoteAddress ?? '') ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined || address === '' || !listHas(trustedProxies, address)) return address;
  for (const hop of String(forwarded).split(',').reverse()) {
    const next = readAddress(hop.trim());
    if (next === null) return address;
    address = next;
    if (!listHas(trustedProxies, address)) return address;
  }
  return address;
}

/** The network by which failed attempts are counted: an IPv4 address, or an IPv6 /64, which one customer has to itself. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('::');
  const head = left.split(':').filter(Boolean);
  const tail = right?.split(':').filter(Boolean) ?? [];
  const zeros = right === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** The network of a client that logs contain: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function recordedNetworkOf(address: string): string {
  if (address === '') return 'unknown';
  return address.includes(':') ? networkOf(address) : `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
}

/**
 * The addresses from which a key may be used. Each family has its own list: Node also compares an IPv4 address with IPv6
 * networks, in its mapped form (`::ffff:…`), so that `::/0` would allow every IPv4 address.
 */
export class Allowlist {
  private readonly lists = { 4: new BlockList(), 6: new BlockList() };

  /** `entries` are addresses and CIDR ranges; any other entry allows no address. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) as 0 | 4 | 6;
      if (family === 0) continue;
      const { name, bits: width } = FAMILIES[family];
      this.lists[family].addSubnet(address, bits === undefined ? width : Number(bits), name);
    }
  }

  /** Whether this address is on the list; an IPv4 address in dotted form. */
  has(address: string): boolean {
    const family = isIP(address) as 0 | 4 | 6;
    return family !== 0 && this.lists[family].check(address, FAMILIES[family].name);
  }
}
