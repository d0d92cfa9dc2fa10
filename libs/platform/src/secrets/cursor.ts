import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { derived } from '../config/derived.js';
import { AppError } from '../errors/app-error.js';

const TAG_BYTES = 16;

/** The binding of a cursor: the list, the account, and the filters. */
export interface CursorScope {
  list: string;
  accountId: string;
  env: string;
  filters: Record<string, unknown>;
}

const invalid = () => new AppError('invalid_cursor', { field: 'cursor' });

function canonicalScope({ list, accountId, env, filters }: CursorScope): string {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([list, accountId, env, set.sort(byName).map(([name, value]) => [name, inOrder(value)])]);
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Sorts the members of a filter: a list means any of its values in any order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).sort(byName));
}

/** Encodes and decodes opaque, signed cursors (contract, Lists). A position is the sort key of the last returned item. */
export class CursorCodec {
  private readonly secret: () => KeyObject;

  constructor(settings: { readonly CURSOR_SECRET: Buffer }) {
    this.secret = derived(
      () => [settings.CURSOR_SECRET],
      (secret) => createSecretKey(secret),
    );
  }

  encode(position: readonly (string | number)[], scope: CursorScope): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.tag(payload, scope), payload]).toString('base64url');
  }

  /** The position; throws `invalid_cursor` for a modified cursor, or one of another account or other filters. */
  decode(cursor: string, scope: CursorScope): (string | number)[] {
    const bytes = Buffer.from(cursor, 'base64url');
    // base64url leaves unused bits in the last character: only the canonical encoding is accepted.
    if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) throw invalid();
    const payload = bytes.subarray(TAG_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), this.tag(payload, scope))) throw invalid();
    return JSON.parse(payload.toString()) as (string | number)[];
  }

  private tag(payload: Buffer, scope: CursorScope): Buffer {
    const scopeHash = hash('sha256', canonicalScope(scope), 'buffer');
    return createHmac('sha256', this.secret()).update(scopeHash).update(payload).digest().subarray(0, TAG_BYTES);
  }
}
