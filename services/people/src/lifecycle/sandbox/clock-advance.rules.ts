import type { AccountClock } from '../../identity/accounts/account.schema.js';

/** Pauses before the offset is applied once more: requests from before the advance have committed by the last of them. */
const ROUND_PAUSES_MS = [5_000, 40_000];

/** A clock that is to advance; `fromMs` is where webhooks, which store no offset when they are made, begin. */
export const advancing = (
  before: AccountClock | null,
  begun: Pick<AccountClock, 'targetMs' | 'beganAt'>,
): AccountClock => {
  const offsetMs = before?.offsetMs ?? 0;
  return { ...begun, offsetMs, fromMs: offsetMs, roundsLeft: 0 };
};

/**
 * The clock after all that is due at its offset was handled: at the next instant on which others depend, at the latest at its
 * target; there the advance ends.
 */
export function afterStop(clock: AccountClock, nextOffsetMs: number | null): AccountClock {
  const { offsetMs, targetMs } = clock;
  if (targetMs === null || offsetMs >= targetMs)
    return { ...clock, targetMs: null, roundsLeft: ROUND_PAUSES_MS.length };
  return { ...clock, offsetMs: Math.min(targetMs, nextOffsetMs ?? targetMs) };
}

/** How long from now the offset is to be applied once more; null: no more. */
export const pauseMsOf = ({ roundsLeft }: AccountClock): number | null =>
  roundsLeft === 0 ? null : ROUND_PAUSES_MS[ROUND_PAUSES_MS.length - roundsLeft]!;
