import { AppError } from '@swim/platform';

/** A request target, not decoded. */
export interface Target {
  /** Starts with a slash; `*` for a request to the server itself. */
  readonly path: string;
  /** The text after the first `?`; empty without. */
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Splits a request target (RFC 9112 section 3.2) of origin or absolute form. */
export function readTarget(url: string): Target {
  const local = url.charCodeAt(0) === 0x2f ? url : withoutAuthority(url);
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function withoutAuthority(url: string): string {
  const rest = url.replace(ABSOLUTE, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  } catch {
    throw new AppError('malformed_url', { field: 'query' });
  }
};

/**
 * Reads a query string: flat names, each at most once. Brackets have no meaning: `status[$ne]` is a name, and no operation
 * has a parameter of that name. Throws `malformed_url`, `duplicate_parameter`, `forbidden_characters` (NUL).
 */
export function readQuery(query: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of query === '' ? [] : query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    // The field of an error is never empty.
    const field = name.replaceAll('\0', '') || 'query';
    if (values.has(name)) throw new AppError('duplicate_parameter', { field });
    if (name.includes('\0') || value.includes('\0')) throw new AppError('forbidden_characters', { field });
    values.set(name, value);
  }
  return values;
}
