const BITS = { 4: 32, 6: 128 } as const;

interface Range {
  family: 4 | 6;
  /** All bits of the address, as digits. */
  digits: string;
  /** How many of them are fixed. */
  length: number;
}

const digitsOf = (numbers: readonly number[], width: number): string =>
  numbers.map((number) => number.toString(2).padStart(width, '0')).join('');

const bytesOf = (address: string): number[] => address.split('.').map(Number);

/** The eight groups of an IPv6 address, whose last two may be written as an IPv4 address. */
function groupsOf(address: string): number[] {
  const [left = '', right] = address.split('::');
  const read = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = bytesOf(group);
        return [a * 256 + b, c * 256 + d];
      });
  const [head, tail] = [read(left), read(right ?? '')];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function rangeOf(text: string): Range {
  const [address = '', length] = text.split('/');
  const family = address.includes(':') ? 6 : 4;
  const digits = family === 6 ? digitsOf(groupsOf(address), 16) : digitsOf(bytesOf(address), 8);
  return { family, digits, length: length === undefined ? BITS[family] : Number(length) };
}

/** Whether every address of the first range is in the second; both as the contract has them. */
export function liesWithin(inner: string, outer: string): boolean {
  const [narrow, wide] = [rangeOf(inner), rangeOf(outer)];
  return (
    narrow.family === wide.family &&
    narrow.length >= wide.length &&
    narrow.digits.slice(0, wide.length) === wide.digits.slice(0, wide.length)
  );
}
