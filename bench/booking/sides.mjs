import { fileURLToPath } from 'node:url';
import { SERVICES } from '../../deploy/local/product-processes.ts';
import { nodeProgram } from '../../deploy/system/node-program.mjs';
import { accepts, freePort, waitUntil } from '../../deploy/system/ports.ts';
import { createTimetable } from './dataset.mjs';

/** @import { Dataset } from './dataset.mjs' */
/** @import { Stack } from './stack.mjs' */

const FLOOR = 'node:http + mongodb';
const QUIET_WITHIN_MS = 120_000;

/**
 * The target of requests, and how to wait for their background work.
 * @typedef {object} Side
 * @property {string} name
 * @property {string} origin
 * @property {() => number[]} pids of its processes.
 * @property {() => object} nextBooking a body of POST /v1/bookings that has not been sent yet.
 * @property {(limit: number) => Promise<string[]>} findSessions ids of sessions that exist.
 * @property {() => Promise<void>} drain waits for the background work of the requests.
 */

/**
 * @param {import('../run.mjs').Run} run
 * @param {Stack} stack
 * @param {Dataset} dataset
 * @returns {Side} the product.
 */
export function stackSide({ supervisor }, { origin, database }, dataset) {
  return {
    name: 'whole stack',
    origin,
    pids: () => pidsOf(supervisor, ['gateway', ...SERVICES]),
    nextBooking: createTimetable(dataset),
    findSessions: (limit) => database.findStackSessions(limit),
    drain: () => untilQuiet('the stack', () => database.isStackQuiet()),
  };
}

/**
 * Starts the hand-written server over a database of its own.
 * @param {import('../run.mjs').Run} run
 * @param {Stack} stack whose people it gets.
 * @param {Dataset} dataset
 * @returns {Promise<Side & {stop: () => Promise<void>}>}
 */
export async function startFloorSide({ supervisor }, { env, database }, dataset) {
  await untilQuiet('the stack', () => database.isStackQuiet());
  await database.prepareFloor();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), BENCH_FLOOR_DATABASE: database.floorName, BENCH_ACCOUNT_ID: dataset.familyId };
  await supervisor.launch({
    name: FLOOR,
    command: nodeProgram(),
    args: [fileURLToPath(new URL('./floor.mjs', import.meta.url))],
    env: { ...env, ...own },
    isReady: () => accepts(port),
  });
  return {
    name: FLOOR,
    origin,
    pids: () => pidsOf(supervisor, [FLOOR]),
    nextBooking: createTimetable(dataset),
    findSessions: (limit) => database.findFloorSessions(limit),
    drain: () => untilQuiet('the floor', async () => (await (await fetch(`${origin}/pending`)).json()).data === 0),
    stop: () => supervisor.stop([FLOOR]),
  };
}

const pidsOf = (supervisor, names) =>
  supervisor.processes().flatMap(({ name, pid }) => (names.includes(name) ? [pid] : []));

/**
 * @param {string} who
 * @param {() => Promise<boolean>} isQuiet
 * @throws {Error} when that takes longer than two minutes.
 */
export async function untilQuiet(who, isQuiet) {
  if (!(await waitUntil(isQuiet, QUIET_WITHIN_MS))) {
    throw new Error(`${who} did not finish what its bookings cause within ${QUIET_WITHIN_MS / 1000} s`);
  }
}
