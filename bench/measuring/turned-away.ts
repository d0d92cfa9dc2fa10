// An overloaded server answers with these statuses: such responses are not measured.
const STATUSES = new Set([503, 504]);
const MOST_TURNED_AWAY = 0.05;

export interface Tally {
  requests: number;
  /**
   * The number of requests that a busy machine rejected or answered too late. Whether they had an effect is unknown.
   */
  turnedAway: number;
}

export const isBusyStatus = (status: number) => STATUSES.has(status);

/**
 * @param name - the name of the measurement, for the error.
 * @param tallies - the tallies of all its passes.
 * @param mostTurnedAway - the share of all requests that may be rejected.
 * @throws when more requests were rejected, or none succeeded.
 */
export function checkTurnedAway(name: string, tallies: Tally[], mostTurnedAway: number = MOST_TURNED_AWAY) {
  const turnedAway = tallies.reduce((sum, tally) => sum + tally.turnedAway, 0);
  const sent = tallies.reduce((sum, tally) => sum + tally.requests, turnedAway);
  if (turnedAway === sent || turnedAway > mostTurnedAway * sent) {
    throw new Error(`${name}: ${turnedAway} of ${sent} requests were turned away; the machine is too busy to measure`);
  }
}
