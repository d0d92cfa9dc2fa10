/**
 * The weight of a name in an `Accept` or `Accept-Encoding` header (RFC 9110 section 12.4.2): from 0 to 1, 1 without `q`;
 * undefined when the header does not name it.
 */
export function weightOf(name: string, header: string): number | undefined {
  for (const range of header.toLowerCase().split(',')) {
    const [first, ...parameters] = range.split(';').map((part) => part.trim());
    if (first !== name) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return undefined;
}
