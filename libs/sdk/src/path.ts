/** Characters of a query that need no escape and read better without: those of `date_from` and `location[latitude]`. */
const READABLE = /%(?:3A|5B|5D|2C)/g;

const encoded = (text: string): string => encodeURIComponent(text).replace(READABLE, decodeURIComponent);

/** Fills the parameters of a path. Throws a TypeError for an empty one, which would make it another path. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((before, part, index) => {
    const value = values[index - 1];
    if (typeof value !== 'string' || value === '' || /^\.{1,2}$/.test(value))
      throw new TypeError(`An identifier in the path ${parts.join('{id}')} must be a text that is not empty.`);
    return `${before}${encodeURIComponent(value)}${part}`;
  });
}

function pairsOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [`${encoded(name)}=${encoded(value.join())}`];
  if (value instanceof Date) return [`${encoded(name)}=${encoded(value.toISOString())}`];
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([member, inner]) => pairsOf(`${name}[${member}]`, inner));
  return [`${encoded(name)}=${encoded(String(value))}`];
}

/** A query with its question mark; empty without parameters. Lists are comma-separated, objects spelled out: `a[b]=c`. */
export function queryText(parameters: object): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
