// Statuses of an overloaded server: such responses are not measured.
const STATUSES = new Set([503, 504]);
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

/**
 * @param name - of what is measured.
 * @param tallies - of its passes.
 * @param mostTurnedAway - share of all requests that may be turned away.
 * @throws when more were turned away, or none succeeded.
 */
export function checkTurnedAway(name: string, tallies: Tally[], mostTurnedAway: number = MOST_TURNED_AWAY) {
  const turnedAway = tallies.reduce((sum, tally) => sum + tally.turnedAway, 0);
  const sent = tallies.reduce((sum, tally) => sum + tally.requests, turnedAway);
  if (turnedAway === sent || turnedAway > mostTurnedAway * sent) {
    throw new Error(`${name}: ${turnedAway} of ${sent} requests were turned away; the machine is too busy to measure`);
  }
}
