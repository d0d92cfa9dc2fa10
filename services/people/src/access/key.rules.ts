const USE_NOTED_EVERY_MS = 60_000;

/** Why a key that exists may not be used now; null when it may. A key ends at the very instant of its expiry. */
export function refusalOfKey(
  key: { revokedAt: Date | null; expiresAt: Date | null },
  now: Date,
): 'revoked_key' | 'expired_key' | null {
  if (key.revokedAt !== null) return 'revoked_key';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired_key';
  return null;
}

/** Whether a use at `now` is worth a write: at most one a minute. */
export const isUseWorthNoting = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_NOTED_EVERY_MS;
