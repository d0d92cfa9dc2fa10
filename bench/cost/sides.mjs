import { createMoves, createTimetable, makeDataset } from '../booking/dataset.mjs';
import { untilQuiet } from '../booking/sides.mjs';
import { PROCESSES } from '../booking/stack.mjs';
import { startBefore } from './before.mjs';

/** @import { Dataset } from '../booking/dataset.mjs' */

/**
 * What is compared. A side of the product also has what the other requests need.
 * @typedef {object} CostSide
 * @property {string} name
 * @property {string} origin
 * @property {() => {name: string, pid: number}[]} processes all that work for a request, the database's servers and NATS
 *   included where this run has started them.
 * @property {string[]} services the names of those that are not servers.
 * @property {Dataset} dataset
 * @property {() => object} nextBooking a body of POST /v1/bookings that has not been sent yet.
 * @property {string[]} sessionIds of the bookings that were made.
 * @property {() => Promise<void>} drain waits for the background work of the requests.
 */

/**
 * Objects of earlier responses, which other requests are about.
 * @typedef {object} Stock
 * @property {{id: string, session_ids: string[], instructor_id: string, amount_cents: number, currency: string}[]} bookings
 *   that no other request has used.
 * @property {Stock['bookings']} movable those whose sessions are moved repeatedly.
 * @property {(instructorId: string) => string} nextMove a free time.
 * @property {string|null} paymentMethodId of the family, once it is known.
 */

/**
 * @param {import('../run.mjs').Run} run
 * @param {import('../booking/stack.mjs').Stack} stack
 * @param {number} pairs
 * @returns {Promise<CostSide & {stock: Stock}>} the product.
 */
export async function startOurs(run, stack, pairs) {
  const own = () => run.supervisor.processes().filter(({ name }) => PROCESSES.includes(name));
  return productSide('ours', stack, { pairs, processes: () => [...own(), ...serversOfRun()] });
}

/**
 * @param {import('../run.mjs').Run} run
 * @param {string} checkout folder of another checkout.
 * @param {number} pairs
 * @returns {Promise<CostSide & {stock: Stock}>} its product.
 */
export async function startOther(run, checkout, pairs) {
  const stack = await startBefore(run, checkout);
  const databases = serversOfRun().filter(({ name }) => name !== 'nats');
  return productSide('before', stack, { pairs, processes: () => [...stack.processes(), ...databases] });
}

async function productSide(name, stack, { pairs, processes }) {
  const dataset = await makeDataset(stack, pairs);
  return {
    name,
    origin: stack.origin,
    processes,
    services: PROCESSES,
    dataset,
    nextBooking: createTimetable(dataset),
    sessionIds: [],
    drain: () => untilQuiet(name, () => stack.database.isStackQuiet()),
    stock: { bookings: [], movable: [], nextMove: createMoves(), paymentMethodId: await cardOf(stack) },
  };
}

async function cardOf(stack) {
  const { base_url: baseUrl, accounts } = await stack.demo();
  const url = `${baseUrl}/accounts/${accounts.family.id}/payment-methods`;
  const { data } = await (await fetch(url, { headers: { authorization: `Bearer ${accounts.family.key}` } })).json();
  return data[0]?.id ?? null;
}

/** The servers that `npm run bench` has started; those that MONGODB_URI and NATS_URL name are not among them. */
function serversOfRun() {
  return JSON.parse(process.env.BENCH_SERVERS ?? '[]');
}
