import autocannon from 'autocannon';
import { cpuSeconds } from './cpu-time.mjs';

export const CONNECTIONS = 64;
const REQUEST_TIMEOUT_SECONDS = 10;

/**
 * What is measured: a server and the request it gets again and again.
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} origin `http://127.0.0.1:<port>`.
 * @property {() => number|null} pid of the process whose CPU time counts; null while it does not run.
 * @property {object} request `{method, path, headers}` as autocannon takes them; `setupRequest` makes one of its own each time.
 */

/**
 * One pass.
 * @typedef {object} Pass
 * @property {number} requests answered.
 * @property {number} requestsPerSecond
 * @property {number} p50Ms half of the answers took no longer.
 * @property {number} p99Ms
 * @property {number|null} cpuMicroseconds of the process for each request; null where that cannot be read.
 * @property {number|null} cpuPercent how much of one core the process had.
 */

/**
 * Sends requests on 64 connections, each the next as soon as the one before is answered.
 * @param {Subject} subject
 * @param {number} seconds
 * @returns {Promise<Pass>}
 * @throws {Error} when anything but success was answered, or nothing: such a pass would say nothing.
 */
export async function load({ name, origin, pid, request }, seconds) {
  const before = { pid: pid(), cpu: cpuSeconds(pid()) };
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: seconds,
    timeout: REQUEST_TIMEOUT_SECONDS,
    requests: [request],
  });
  check(name, result, before.pid !== pid());
  const cpu = before.cpu === null ? null : cpuSeconds(pid()) - before.cpu;
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMicroseconds: cpu === null ? null : (cpu * 1e6) / result.requests.total,
    cpuPercent: cpu === null ? null : (cpu * 100) / result.duration,
  };
}

function check(name, { requests, errors, timeouts, non2xx, statusCodeStats }, isAnother) {
  if (isAnother) throw new Error(`${name} died while it was measured`);
  if (errors || timeouts || non2xx || requests.total === 0) {
    const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
    throw new Error(`${name} did not only succeed: ${statuses.join(', ')}, ${errors} errors, ${timeouts} time-outs`);
  }
}
