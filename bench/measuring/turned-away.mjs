// Statuses of an overloaded server: such responses are not measured.
const STATUSES = new Set([503, 504]);
const REASONS = new Set(['unavailable', 'overloaded', 'deadline_exceeded', 'busy_retry']);
const MOST_TURNED_AWAY = 0.05;

/**
 * Requests of a measurement.
 * @typedef {object} Tally
 * @property {number} requests that succeeded.
 * @property {number} turnedAway that a busy machine did not carry out, or not in time. Whether they had an effect is unknown.
 */

/** @param {number} status of an HTTP answer. */
export const isBusyStatus = (status) => STATUSES.has(status);

/** @param {unknown} error of an operation requested over the bus. */
export const isBusyError = (error) => REASONS.has(error?.reason);

/**
 * @param {string} name of what is measured.
 * @param {Tally[]} tallies of its passes.
 * @param {number} [mostTurnedAway] share of all requests that may be turned away.
 * @throws {Error} when more were turned away, or none succeeded.
 */
export function checkTurnedAway(name, tallies, mostTurnedAway = MOST_TURNED_AWAY) {
  const { turnedAway, sent } = totalOf(tallies);
  if (turnedAway === sent || turnedAway > mostTurnedAway * sent) {
    throw new Error(`${name}: ${turnedAway} of ${sent} requests were turned away; the machine is too busy to measure`);
  }
}

/**
 * @param {Tally[]} tallies
 * @returns {string} how many requests were turned away, for a person; empty when none was.
 */
export function describeTurnedAway(tallies) {
  const { turnedAway, sent } = totalOf(tallies);
  return turnedAway === 0 ? '' : `${turnedAway} of ${sent} requests were turned away`;
}

function totalOf(tallies) {
  const turnedAway = tallies.reduce((sum, tally) => sum + tally.turnedAway, 0);
  return { turnedAway, sent: tallies.reduce((sum, tally) => sum + tally.requests, turnedAway) };
}
