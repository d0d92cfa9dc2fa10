import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;

/**
 * The addresses from which a key may be used. Each family has a list of its own: Node takes an IPv4 address for one of the
 * IPv6 networks that its other spelling (`::ffff:…`) lies in, so that `::/0` would let everybody in.
 */
export class Allowlist {
  private readonly lists = { 4: new BlockList(), 6: new BlockList() };

  /** `entries` are addresses and CIDR ranges; one that is neither allows nobody. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) as 0 | 4 | 6;
      if (family === 0) continue;
      const { name, bits: width } = FAMILIES[family];
      this.lists[family].addSubnet(address, bits === undefined ? width : Number(bits), name);
    }
  }

  /** Whether this address is on it; an IPv4 address in its own spelling. */
  has(address: string): boolean {
    const family = isIP(address) as 0 | 4 | 6;
    return family !== 0 && this.lists[family].check(address, FAMILIES[family].name);
  }
}
