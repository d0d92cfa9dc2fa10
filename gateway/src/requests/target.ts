/** A request target as it came: nothing decoded yet. */
export interface Target {
  /** Begins with a slash; `*` for a request to the server itself. */
  readonly path: string;
  /** What follows the first `?`; empty without. */
  readonly query: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Splits a request target (RFC 9112 section 3.2), origin or absolute form, without express's help. */
export function readTarget(url: string): Target {
  const local = url.charCodeAt(0) === 0x2f ? url : withoutAuthority(url);
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

function withoutAuthority(url: string): string {
  const rest = url.replace(ABSOLUTE, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}
