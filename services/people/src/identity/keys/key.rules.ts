import { type ApiKey, grants, type Scope } from '@swim/contracts';
import { liesWithin } from './address-range.rules.js';

const USE_NOTED_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How many keys of an account and environment may be active at a time. */
export const MOST_ACTIVE_KEYS = 100;

/** When a key ends: it expires, or it is revoked. Null: never. */
export interface KeyEnd {
  revokedAt: Date | null;
  expiresAt: Date | null;
}

/** What a key may do, from which addresses, and until when. An empty list of addresses means all, null no end. */
export interface KeyTerms {
  scopes: readonly Scope[];
  ipAllowlist: readonly string[];
  expiresAt: Date | null;
}

/** Why an existing key may not be used now; null when it may. A key ends at the very instant of its expiry. */
export function endedKeyReason(key: KeyEnd, now: Date): 'revoked_key' | 'expired_key' | null {
  if (key.revokedAt !== null) return 'revoked_key';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired_key';
  return null;
}

const ROLL_REPEATED_MS = 60_000;

/** Until when a key that was rolled may repeat the request for an answer that was lost; null unless it was rolled. */
export const rollRepeatedUntil = ({
  rolledTo,
  expiresAt,
}: {
  rolledTo?: string | null;
  expiresAt: Date | null;
}): Date | null => (!rolledTo || expiresAt === null ? null : new Date(expiresAt.getTime() + ROLL_REPEATED_MS));

/** The status of a key at this time. */
export function statusOfKey(key: KeyEnd, now: Date): ApiKey['status'] {
  const rejection = endedKeyReason(key, now);
  return rejection === null ? 'active' : rejection === 'revoked_key' ? 'revoked' : 'expired';
}

/** Whether a use at `now` is to be recorded: at most one a minute. */
export const isUseWorthNoting = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_NOTED_EVERY_MS;

/** The term in which requested rights exceed those of the requesting key; null when none does. */
export type Excess = { term: 'scopes'; scope: Scope } | { term: 'ip_allowlist' } | { term: 'expires_at' };

/** No key creates another one with more rights than its own. Absent terms are not checked. */
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

/** When a new key ends: as requested, never for null, and by default when the requesting key does. */
export function endOfNew(requested: string | null | undefined, own: Date | null): Date | null {
  if (requested === undefined) return own;
  return requested === null ? null : new Date(requested);
}

/** When a rolled key ends: after the overlap, and not later than before. */
export function endOfRolled(expiresAt: Date | null, overlapHours: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapHours * HOUR_MS);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}
