const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IDLE_MS = { kept: 30 * DAY_MS, closed: 12 * HOUR_MS };
const LONGEST_MS = 90 * DAY_MS;
const USE_NOTED_EVERY_MS = 60_000;
const CONFIRMED_FOR_MS = 600_000;
const ROTATED_EVERY_MS = DAY_MS;

/** How long the former value of a rotated cookie is valid, for requests in flight. */
export const FORMER_VALID_MS = 60_000;

/** The dates of a session that decide whether it is active. */
export interface SessionDates {
  createdAt: Date;
  rotatedAt: Date;
  /** When its user signed in, or confirmed it last. */
  confirmedAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** Whether the user chose to stay signed in. */
  isKept: boolean;
}

/** Until when a session is active that is used now: 12 hours, or 30 days; and never beyond 90 days after its sign-in. */
export function endOfIdle({ createdAt, isKept }: Pick<SessionDates, 'createdAt' | 'isKept'>, now: Date): Date {
  const idleMs = isKept ? IDLE_MS.kept : IDLE_MS.closed;
  return new Date(Math.min(now.getTime() + idleMs, createdAt.getTime() + LONGEST_MS));
}

/** Why a session may not be used now; null when it may. */
export function endedSessionReason(
  { revokedAt, expiresAt }: Pick<SessionDates, 'revokedAt' | 'expiresAt'>,
  now: Date,
): 'revoked_key' | 'expired_key' | null {
  if (revokedAt !== null) return 'revoked_key';
  return expiresAt <= now ? 'expired_key' : null;
}

/** A change of how a user signs in, and the session in which it was made; null: in none. */
export interface SignInChange {
  at: Date;
  sessionId: string | null;
}

/** Whether a change has ended a session: it began before, and the change was not made in it. */
export const isEndedBy = (
  { at, sessionId }: SignInChange,
  { _id, createdAt }: Pick<SessionDates, 'createdAt'> & { _id: string },
): boolean => createdAt < at && _id !== sessionId;

/** Until when a session may do what a cookie alone may not. */
export const endOfConfirmation = ({ confirmedAt }: Pick<SessionDates, 'confirmedAt'>): Date =>
  new Date(confirmedAt.getTime() + CONFIRMED_FOR_MS);

/** Whether a use at `now` is to be recorded: at most one a minute. */
export const isSessionUseWorthNoting = ({ lastUsedAt }: Pick<SessionDates, 'lastUsedAt'>, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= USE_NOTED_EVERY_MS;

/** Whether the cookie is to be renewed: once in 24 hours of use. */
export const isRotationDue = ({ rotatedAt }: Pick<SessionDates, 'rotatedAt'>, now: Date): boolean =>
  now.getTime() - rotatedAt.getTime() >= ROTATED_EVERY_MS;

/** Seconds for which the browser keeps the cookie; null: until it is closed. */
export const keptSecondsOf = ({ isKept }: Pick<SessionDates, 'isKept'>): number | null =>
  isKept ? IDLE_MS.kept / 1_000 : null;
