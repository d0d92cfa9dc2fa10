/** @import { Side } from './sides.mjs' */
/** @import { Dataset } from './dataset.mjs' */

const REQUESTED_SESSIONS = 500;

const headersOf = ({ familyKey }) => ({ authorization: `Bearer ${familyKey}`, 'content-type': 'application/json' });

/**
 * @param {Side} side
 * @param {Dataset} dataset
 * @returns {object} for autocannon: a different possible booking each time.
 */
export function bookingRequest({ nextBooking }, dataset) {
  const setupRequest = (request) => ({ ...request, body: JSON.stringify(nextBooking()) });
  return { method: 'POST', path: '/v1/bookings', headers: headersOf(dataset), setupRequest };
}

/**
 * @param {Side} side
 * @param {Dataset} dataset
 * @returns {Promise<object>} for autocannon: the sessions in turn, so that no cache contains them all.
 */
export async function sessionRequest({ findSessions }, dataset) {
  const paths = (await findSessions(REQUESTED_SESSIONS)).map((id) => `/v1/sessions/${id}`);
  let count = 0;
  const setupRequest = (request) => ({ ...request, path: paths[count++ % paths.length] });
  return { method: 'GET', path: paths[0], headers: headersOf(dataset), setupRequest };
}
