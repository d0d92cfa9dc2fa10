import { setTimeout as sleep } from 'node:timers/promises';
import { isBusyStatus } from '../measuring/turned-away.mjs';

/** @import { Tally } from '../measuring/turned-away.mjs' */

const BETWEEN_MS = 200;
// Fewer are noise of sweeps.
const LEAST_SHARE = 0.01;
const TRIES = 3;

/**
 * Counts what passes it by name; `take` returns the counts since it was called last.
 * @typedef {{take: () => Map<string, number>}} Counter
 */

/**
 * What the services do without requests, to be subtracted.
 * @typedef {{tookMs: number, counts: Map<string, number>[]}} Idle
 */

/**
 * Counts of one pass.
 * @typedef {Tally & {counts: Map<string, number>[]}} Counted for each request, in the order of the counters.
 */

/**
 * @param {Counter[]} counters
 * @param {number} ms how long no request is sent.
 * @returns {Promise<Idle>}
 */
export const countIdle = (counters, ms) => within(counters, () => sleep(ms));

/**
 * Repeats until a pass has no rejected request, since such a request takes more or fewer commands than one that succeeds;
 * after three passes the last one counts.
 * @param {import('./sides.mjs').Side} side
 * @param {Counter[]} counters
 * @param {Idle} idle
 * @param {() => Promise<number[]>} work sends the requests, and returns the statuses of the responses.
 * @returns {Promise<Counted>}
 */
export async function countFor(side, counters, idle, work) {
  for (let tries = 1; ; tries += 1) {
    await side.drain();
    const tally = { requests: 0, turnedAway: 0 };
    const worked = await within(counters, async () => {
      for (const status of await work()) tally[isBusyStatus(status) ? 'turnedAway' : 'requests'] += 1;
      await side.drain();
    });
    if (tally.turnedAway > 0 && tries < TRIES) continue;
    return { ...tally, counts: worked.counts.map((counts, which) => ofRequest(counts, idle.counts[which])) };

    function ofRequest(counts, idleCounts) {
      // The services' periodic commands continue during the requests.
      const ofIdle = (name) => ((idleCounts.get(name) ?? 0) * worked.tookMs) / idle.tookMs;
      const sent = tally.requests + tally.turnedAway;
      const perRequest = [...counts].map(([name, count]) => [name, (count - ofIdle(name)) / sent]);
      return new Map(perRequest.filter(([, count]) => count >= LEAST_SHARE));
    }
  }
}

async function within(counters, work) {
  for (const counter of counters) counter.take();
  const beganAtMs = performance.now();
  await work();
  return { tookMs: performance.now() - beganAtMs, counts: counters.map((counter) => counter.take()) };
}

/**
 * @param {{origin: string}} side
 * @param {object} request as autocannon takes it.
 * @param {number} count
 * @returns {Promise<number[]>} the statuses of as many requests, one after the other with pauses.
 */
export async function oneByOne(side, request, count) {
  const statuses = [];
  for (let sent = 0; sent < count; sent += 1) {
    const pause = sleep(BETWEEN_MS);
    statuses.push(await send(side, request));
    await pause;
  }
  return statuses;
}

/**
 * @param {{origin: string}} side
 * @param {object} request as autocannon takes it.
 * @param {{count: number, clients: number}} plan
 * @returns {Promise<number[]>} the statuses of as many requests, so many at a time.
 */
export async function manyAtOnce(side, request, { count, clients }) {
  const statuses = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) statuses.push(await send(side, request));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return statuses;
}

async function send({ origin }, request) {
  const { method, path, headers, body } = request.setupRequest(request);
  const response = await fetch(origin + path, { method, headers, body });
  const { status } = response;
  const text = await response.text();
  if (!response.ok && !isBusyStatus(status)) throw new Error(`${origin} answered ${status}: ${text}`);
  return status;
}
