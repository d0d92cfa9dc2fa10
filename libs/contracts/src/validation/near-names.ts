/** Whether one text becomes the other by one change: a character added, left out or replaced, or two neighbours swapped. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  const candidates = [rest.slice(1) === otherRest, rest === otherRest.slice(1), rest.slice(1) === otherRest.slice(1)];
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return candidates.includes(true) || isSwapped;
}

/** A name as this API spells names: `member_ids` for `memberIds`, `member-ids` and `member_ids[]`; `a[b]` for `a.b`. */
const spelled = (name: string): string =>
  name
    .replace(/\[\]$/, '')
    .replace(/^(\w+)\.(\w+)$/, '$1[$2]')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/**
 * The known name that was probably meant: spelled otherwise, with one mistake, or without the object that it belongs to
 * (`location[latitude]` for `latitude`). Undefined where none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const meant = spelled(name.slice(0, 100));
  const ways = [
    (each: string) => each === meant,
    (each: string) => isNear(meant, each),
    (each: string) => each.endsWith(`[${meant}]`),
  ];
  return ways.map((isMeant) => known.find(isMeant)).find((found) => found !== undefined);
}
