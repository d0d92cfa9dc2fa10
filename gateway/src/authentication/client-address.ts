import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';

const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const PORT = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** An address without port, brackets and the IPv6 spelling of IPv4; null when it is none. */
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
 * Who sent a request: the peer of the socket, or, where that is a trusted proxy, the last address of X-Forwarded-For that
 * is not one. Whatever stands further left was written by the client and proves nothing.
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

/** What failed attempts are counted by: an IPv4 address, or the /64 that a single IPv6 customer is given. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('::');
  const head = left.split(':').filter(Boolean);
  const tail = right?.split(':').filter(Boolean) ?? [];
  const zeros = right === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** What is written down of where a request came from: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function recordedNetworkOf(address: string): string {
  if (address === '') return 'unknown';
  return address.includes(':') ? networkOf(address) : `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
}
