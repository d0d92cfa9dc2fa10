// Statuses of an overloaded server: such responses are not measured.
const STATUSES = new Set([503, 504]);
const REASONS = new Set(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry']);
const MOST_TURNED_AWAY = 0.05;

/** Requests of a measurement. */
export interface Tally {
  /** That succeeded. */
  requests: number;
  /** That a busy machine did not carry out, or not in time. Whether they had an effect is unknown. */
  turnedAway: number;
}

/** @param status - of an HTTP answer. */
export const isBusyStatus = (status: number) => STATUSES.has(status);

/** @param error - of an operation requested over the bus. */
export const isBusyError = (error: unknown) => REASONS.has((error as { reason?: string } | null)?.reason ?? '');

/**
 * @param name - of what is measured.
 * @param tallies - of its passes.
 * @param mostTurnedAway - share of all requests that may be turned away.
 * @throws when more were turned away, or none succeeded.
 */
export function checkTurnedAway(name: string, tallies: Tally[], mostTurnedAway: number = MOST_TURNED_AWAY) {
  const { turnedAway, sent } = totalOf(tallies);
  if (turnedAway === sent || turnedAway > mostTurnedAway * sent) {
    throw new Error(`${name}: ${turnedAway} of ${sent} requests were turned away; the machine is too busy to measure`);
  }
}

/** @returns how many requests were turned away, for a person; empty when none was. */
export function describeTurnedAway(tallies: Tally[]): string {
  const { turnedAway, sent } = totalOf(tallies);
  return turnedAway === 0 ? '' : `${turnedAway} of ${sent} requests were turned away`;
}

function totalOf(tallies: Tally[]) {
  const turnedAway = tallies.reduce((sum, tally) => sum + tally.turnedAway, 0);
  return { turnedAway, sent: tallies.reduce((sum, tally) => sum + tally.requests, turnedAway) };
}
