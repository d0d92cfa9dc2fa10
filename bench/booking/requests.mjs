/** @import { Side } from './sides.mjs' */
/** @import { World } from './world.mjs' */

const SESSIONS_ASKED_FOR = 500;

const headersOf = ({ familyKey }) => ({ authorization: `Bearer ${familyKey}`, 'content-type': 'application/json' });

/**
 * @param {Side} side
 * @param {World} world
 * @returns {object} for autocannon: each time another booking that can be had.
 */
export function bookingRequest({ nextBooking }, world) {
  const setupRequest = (request) => ({ ...request, body: JSON.stringify(nextBooking()) });
  return { method: 'POST', path: '/v1/bookings', headers: headersOf(world), setupRequest };
}

/**
 * @param {Side} side
 * @param {World} world
 * @returns {Promise<object>} for autocannon: one session after the other, so that no single document is all that anyone
 *   remembers.
 */
export async function sessionRequest({ findSessions }, world) {
  const paths = (await findSessions(SESSIONS_ASKED_FOR)).map((id) => `/v1/sessions/${id}`);
  let count = 0;
  const setupRequest = (request) => ({ ...request, path: paths[count++ % paths.length] });
  return { method: 'GET', path: paths[0], headers: headersOf(world), setupRequest };
}
