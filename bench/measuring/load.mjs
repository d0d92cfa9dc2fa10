import autocannon from 'autocannon';
import { cpuSeconds } from './process-use.mjs';
import { isBusyStatus } from './turned-away.mjs';

/** As many as every target is given for. */
const CONNECTIONS = 64;
const REQUEST_TIMEOUT_SECONDS = 10;
// A pass ends at the end of a sample.
const LONGEST_SAMPLE_MS = 1_000;
const SAMPLES = 4;

/**
 * What is measured: a server and the request that it gets repeatedly.
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} origin `http://127.0.0.1:<port>`.
 * @property {() => number[]} pids of the processes whose CPU time counts.
 * @property {object} request `{method, path, headers}` as autocannon takes them; `setupRequest` makes one of its own each time,
 *   and `onResponse` gets the status and body of each response.
 * @property {number} [amount] requests of a pass, which then has no fixed length.
 * @property {() => Promise<void>} [drain] waits until all that its requests cause is done.
 */

/**
 * One pass.
 * @typedef {object} Pass
 * @property {number} requests that succeeded.
 * @property {number} turnedAway requests that a busy machine rejected or did not answer in time; they count nowhere else.
 * @property {number} requestsPerSecond
 * @property {number} p50Ms half of the answers took no longer.
 * @property {number} p99Ms
 * @property {number|null} cpuMicroseconds of its processes for each request; null where that cannot be read.
 * @property {number|null} cpuPercent how much of one core they had together.
 * @property {number} drainedAfterMs how long what the requests cause went on after the last answer.
 */

/**
 * Sends requests on some connections, each the next as soon as the one before is answered.
 * @param {Subject} subject
 * @param {number} seconds
 * @param {number} [connections] 64 by default.
 * @returns {Promise<Pass>}
 * @throws {Error} when a request failed for another reason than a busy machine: such a pass would say nothing.
 */
export async function load({ name, origin, pids, request, amount, drain }, seconds, connections = CONNECTIONS) {
  const before = { pids: pids().join(), cpu: cpuSeconds(pids()) };
  let error;
  const onResponse = (status, body) => {
    if (status >= 300 && !isBusyStatus(status)) error ??= body;
    request.onResponse?.(status, body);
  };
  const result = await autocannon({
    url: origin,
    connections,
    ...(amount ? { amount } : { duration: seconds }),
    timeout: REQUEST_TIMEOUT_SECONDS,
    sampleInt: Math.min(LONGEST_SAMPLE_MS, (seconds * 1_000) / SAMPLES),
    excludeErrorStats: true,
    requests: [{ ...request, onResponse }],
  });
  const endedAtMs = performance.now();
  await drain?.();
  if (before.pids !== pids().join()) throw new Error(`${name} died while it was measured`);
  const turnedAway = turnedAwayOf(name, result, error);
  const requests = result['2xx'];
  const cpu = before.cpu === null ? null : cpuSeconds(pids()) - before.cpu;
  return {
    requests,
    turnedAway,
    requestsPerSecond: requests / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    drainedAfterMs: drain ? performance.now() - endedAtMs : 0,
    cpuMicroseconds: cpu === null ? null : (cpu * 1e6) / requests,
    cpuPercent: cpu === null ? null : (cpu * 100) / result.duration,
  };
}

function turnedAwayOf(name, { errors, timeouts, non2xx, statusCodeStats }, rejection) {
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => ({ status: Number(status), count }));
  const busy = statuses.reduce((sum, { status, count }) => sum + (isBusyStatus(status) ? count : 0), 0);
  if (errors > timeouts || non2xx > busy) {
    const counts = statuses.map(({ status, count }) => `${count} × ${status}`).join(', ');
    throw new Error(`${name} did not only succeed: ${counts}, ${errors - timeouts} errors; ${rejection}`);
  }
  return busy + timeouts;
}
