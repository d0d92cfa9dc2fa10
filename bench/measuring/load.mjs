import autocannon from 'autocannon';
import { cpuSeconds } from './cpu-time.mjs';

/** As many as every target is given for. */
const CONNECTIONS = 64;
const REQUEST_TIMEOUT_SECONDS = 10;

/**
 * What is measured: a server and the request it gets again and again.
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} origin `http://127.0.0.1:<port>`.
 * @property {() => number[]} pids of the processes whose CPU time counts.
 * @property {object} request `{method, path, headers}` as autocannon takes them; `setupRequest` makes one of its own each time.
 * @property {() => Promise<void>} [settle] waits until all that its requests cause is done.
 */

/**
 * One pass.
 * @typedef {object} Pass
 * @property {number} requests answered.
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
 * @param {number} [connections] 64 unless told otherwise.
 * @returns {Promise<Pass>}
 * @throws {Error} when anything but success was answered: such a pass would say nothing.
 */
export async function load({ name, origin, pids, request, drain }, seconds, connections = CONNECTIONS) {
  const before = { pids: pids().join(), cpu: cpuSeconds(pids()) };
  let error;
  const onResponse = (status, body) => {
    if (status >= 300) error ??= body;
  };
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: REQUEST_TIMEOUT_SECONDS,
    requests: [{ ...request, onResponse }],
  });
  const endedAtMs = performance.now();
  await drain?.();
  check(name, { ...result, rejection: error }, before.pids !== pids().join());
  const cpu = before.cpu === null ? null : cpuSeconds(pids()) - before.cpu;
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    drainedAfterMs: drain ? performance.now() - endedAtMs : 0,
    cpuMicroseconds: cpu === null ? null : (cpu * 1e6) / result.requests.total,
    cpuPercent: cpu === null ? null : (cpu * 100) / result.duration,
  };
}

function check(name, { errors, timeouts, non2xx, statusCodeStats, rejection: error }, isAnother) {
  if (isAnother) throw new Error(`${name} died while it was measured`);
  if (errors || timeouts || non2xx) {
    const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
    throw new Error(
      `${name} did not only succeed: ${statuses.join(', ')}, ${errors} errors, ${timeouts} time-outs; ${error}`,
    );
  }
}
