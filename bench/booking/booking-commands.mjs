import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { checkTurnedAway, describeTurnedAway, isBusyStatus } from '../measuring/turned-away.mjs';
import { commandTable, totalsOf } from './command-table.mjs';
import { makeDataset } from './dataset.mjs';
import { bookingRequest } from './requests.mjs';
import { stackSide, startFloorSide } from './sides.mjs';

const BETWEEN_MS = 200;
const CLIENTS = 32;
// Some pairs book repeatedly, so that not every booking inserts new days.
const PAIRS_ALONE = 4;
const LONG = { alone: 20, together: 320, idleMs: 20_000 };
const SHORT = { alone: 8, together: 64, idleMs: 2_000, mostTurnedAway: 1 };
// Fewer are noise of sweeps.
const LEAST_SHARE = 0.01;
const TRIES = 3;
const TITLES = ['Commands to the database', 'Requests over the bus'];
const COLUMNS = ['ours', 'floor', `ours, ${CLIENTS} clients`];

/** @import { Tally } from '../measuring/turned-away.mjs' */

/**
 * Commands and requests of one pass.
 * @typedef {Tally & {counts: Map<string, number>[]}} Counted for each booking, in the order of the counters.
 */

/**
 * Counts the database commands and NATS requests of a booking: on both sides one booking at a time, and of ours also with many
 * clients at once, where requests share commands. The services' periodic commands are counted beforehand, and subtracted.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} a table, for a person.
 */
export async function bookingCommands(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const dataset = await makeDataset(stack, PAIRS_ALONE + CLIENTS);
  const requests = await countRequests(run.env.NATS_URL);
  const counters = [stack.counter, requests];
  const [few, many] = [dataset.pairs.slice(0, PAIRS_ALONE), dataset.pairs.slice(PAIRS_ALONE)];
  const ours = stackSide(run, stack, { ...dataset, pairs: few });
  const floor = await startFloorSide(run, stack, { ...dataset, pairs: few });
  const busy = stackSide(run, stack, { ...dataset, pairs: many });
  await ours.drain();
  const idle = await within(counters, () => sleep(plan.idleMs));
  const passes = [];
  for (const [side, work, bookings] of [
    [ours, oneByOne, plan.alone],
    [floor, oneByOne, plan.alone],
    [busy, manyAtOnce, plan.together],
  ]) {
    const pass = await countFor(side, counters, idle, () => work(side, dataset, bookings));
    checkTurnedAway(side.name, [pass], plan.mostTurnedAway);
    passes.push(pass);
  }
  await Promise.all([requests.close(), floor.stop()]);
  return describe(passes, plan, run.env.DATABASE_PREFIX);
}

function describe(passes, { alone, together }, prefix) {
  const countsOf = (which) => passes.map(({ counts }) => byService(counts[which], prefix));
  const [commands, requests] = TITLES.map((_, which) => totalsOf(countsOf(which))[0].toFixed(1));
  const turnedAway = describeTurnedAway(passes);
  return [
    `For each of ${alone} bookings one by one, and of ${together} by ${CLIENTS} clients`,
    `One booking at a time takes ${commands} commands to the database and ${requests} requests over the bus.`,
    ...(turnedAway ? [`note: ${turnedAway}.`] : []),
    '',
    ...TITLES.map((title, which) => commandTable(title, COLUMNS, countsOf(which))),
  ].join('\n');
}

/** `<prefix>_<service>_<environment>/<command>` as `<service> <command>`. */
function byService(counts, prefix) {
  const shown = new Map();
  for (const [name, count] of counts) {
    const [, database, command] = name.match(/^([^/ ]+)\/(.*)$/) ?? [];
    const service = database?.replace(`${prefix}_`, '').replace(/_(keys_)?(live|test)$/, '');
    const as = service === undefined ? name : `${service} ${command}`;
    shown.set(as, (shown.get(as) ?? 0) + count);
  }
  return shown;
}

/** Counts the requests to services, and those to the counters of the limits. */
async function countRequests(natsUrl) {
  const connection = await connect({ servers: natsUrl });
  let counts = new Map();
  const note = (_, { subject }) => {
    const name = subject.startsWith('limits.') ? 'bus limits' : `bus ${subject}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const subject of ['rpc.>', 'limits.>']) connection.subscribe(subject, { callback: note });
  await connection.flush();
  const take = () => {
    const taken = counts;
    counts = new Map();
    return taken;
  };
  return { take, close: () => connection.close() };
}

/**
 * Repeats until a pass has no rejected request, since such a request takes more or fewer commands than a booking; after
 * three passes the last one counts.
 * @returns {Promise<Counted>}
 */
async function countFor(side, counters, idle, work) {
  for (let tries = 1; ; tries += 1) {
    await side.drain();
    const tally = { requests: 0, turnedAway: 0 };
    const worked = await within(counters, async () => {
      for (const status of await work()) tally[isBusyStatus(status) ? 'turnedAway' : 'requests'] += 1;
      await side.drain();
    });
    if (tally.turnedAway > 0 && tries < TRIES) continue;
    return { ...tally, counts: worked.counts.map((counts, which) => ofBooking(counts, idle.counts[which])) };

    function ofBooking(counts, idleCounts) {
      // The services' periodic commands continue during the bookings.
      const ofIdle = (name) => ((idleCounts.get(name) ?? 0) * worked.tookMs) / idle.tookMs;
      const sent = tally.requests + tally.turnedAway;
      const perBooking = [...counts].map(([name, count]) => [name, (count - ofIdle(name)) / sent]);
      return new Map(perBooking.filter(([, count]) => count >= LEAST_SHARE));
    }
  }
}

async function within(counters, work) {
  for (const counter of counters) counter.take();
  const beganAtMs = performance.now();
  await work();
  return { tookMs: performance.now() - beganAtMs, counts: counters.map((counter) => counter.take()) };
}

async function oneByOne(side, dataset, bookings) {
  const statuses = [];
  for (let count = 0; count < bookings; count += 1) {
    const pause = sleep(BETWEEN_MS);
    statuses.push(await send(side, dataset));
    await pause;
  }
  return statuses;
}

async function manyAtOnce(side, dataset, bookings) {
  const statuses = [];
  let left = bookings;
  const client = async () => {
    while (left-- > 0) statuses.push(await send(side, dataset));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return statuses;
}

async function send({ origin, nextBooking }, dataset) {
  const { method, path, headers } = bookingRequest({ nextBooking }, dataset);
  const response = await fetch(origin + path, { method, headers, body: JSON.stringify(nextBooking()) });
  const { status } = response;
  const text = await response.text();
  if (status !== 201 && !isBusyStatus(status)) throw new Error(`${origin} answered ${status}: ${text}`);
  return status;
}
