import { type ApiKey, grants, type Scope } from '@swim/contracts';
import { liesWithin } from './address-range.rules.js';

const USE_NOTED_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How many keys of an account and environment may be active at a time. */
export const MOST_ACTIVE_KEYS = 100;

/** When a key ends: by itself, or because someone ended it. Null: never. */
export interface KeyEnd {
  revokedAt: Date | null;
  expiresAt: Date | null;
}

/** What a key may do, from where, and until when. An empty list of addresses means everywhere, null for ever. */
export interface KeyTerms {
  scopes: readonly Scope[];
  ipAllowlist: readonly string[];
  expiresAt: Date | null;
}

/** Why a key that exists may not be used now; null when it may. A key ends at the very instant of its expiry. */
export function endedKeyReason(key: KeyEnd, now: Date): 'revoked_key' | 'expired_key' | null {
  if (key.revokedAt !== null) return 'revoked_key';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired_key';
  return null;
}

/** What a key is at this time. */
export function statusOfKey(key: KeyEnd, now: Date): ApiKey['status'] {
  const rejection = endedKeyReason(key, now);
  return rejection === null ? 'active' : rejection === 'revoked_key' ? 'revoked' : 'expired';
}

/** Whether a use at `now` is worth a write: at most one a minute. */
export const isUseWorthNoting = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_NOTED_EVERY_MS;

/** In what these terms go beyond those of the key that asks for them; null when they do not. */
export type Excess = { term: 'scopes'; scope: Scope } | { term: 'ip_allowlist' } | { term: 'expires_at' };

/** No key makes another one that can do more than itself. Terms that are not given are not judged. */
export function excessOf(requested: Partial<KeyTerms>, own: KeyTerms): Excess | null {
  const scope = requested.scopes?.find((each) => !grants(own.scopes, each));
  if (scope !== undefined) return { term: 'scopes', scope };
  if (requested.ipAllowlist && !areWithin(requested.ipAllowlist, own.ipAllowlist)) return { term: 'ip_allowlist' };
  if (requested.expiresAt !== undefined && endsAfter(requested.expiresAt, own.expiresAt)) return { term: 'expires_at' };
  return null;
}

const areWithin = (requested: readonly string[], own: readonly string[]): boolean =>
  own.length === 0 ||
  (requested.length > 0 && requested.every((inner) => own.some((outer) => liesWithin(inner, outer))));

const endsAfter = (requested: Date | null, own: Date | null): boolean =>
  own !== null && (requested === null || requested > own);

/** When a new key ends: as was asked, never for null, and without a word when the asking key does. */
export function endOfNew(requested: string | null | undefined, own: Date | null): Date | null {
  if (requested === undefined) return own;
  return requested === null ? null : new Date(requested);
}

/** When a key that is rolled now ends: after the overlap, never later than it would have. */
export function endOfRolled(expiresAt: Date | null, overlapHours: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapHours * HOUR_MS);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
