import { AppError } from '@swim/platform';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  } catch {
    throw new AppError('malformed_url', { field: 'query' });
  }
};

/**
 * Reads a query string: flat names, each at most once. Brackets mean nothing; `status[$ne]` is a name like any other, and
 * one that no operation knows. Throws `malformed_url`, `duplicate_parameter`, `forbidden_characters` (NUL).
 */
export function readQuery(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    if (values.has(name)) throw new AppError('duplicate_parameter', { field: name });
    if (name.includes('\0') || value.includes('\0'))
      throw new AppError('forbidden_characters', { field: name.replaceAll('\0', '') });
    values.set(name, value);
  }
  return values;
}
