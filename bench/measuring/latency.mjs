import { setTimeout as sleep } from 'node:timers/promises';
import { checkTurnedAway, isBusyStatus } from './turned-away.mjs';

/** @import { Tally } from './turned-away.mjs' */

const PAUSE_MS = 200;
const ANSWERED_WITHIN_MS = 60_000;

/**
 * How many requests are sent to each side.
 * @typedef {object} Plan
 * @property {number} requests that are measured.
 * @property {number} warmUpRequests before them.
 * @property {number} [mostTurnedAway] share of the measured requests that a busy machine may turn away.
 */

/**
 * Response times, one request after the other.
 * @typedef {Tally & {p50Ms: number, p95Ms: number, maxMs: number}} Latency half of the answers took no longer than `p50Ms`.
 */

/**
 * Sends a request and reads its response.
 * @param {string} url
 * @param {RequestInit} options
 * @returns {Promise<{ms: number, body: object|null}>} without a body when a busy machine turned the request away.
 * @throws {Error} when anything else but success was answered.
 */
export async function timed(url, options) {
  const startedAtMs = performance.now();
  const response = await fetch(url, options);
  const text = await response.text();
  const ms = performance.now() - startedAtMs;
  if (isBusyStatus(response.status)) return { ms, body: null };
  if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${url} answered ${response.status}: ${text}`);
  return { ms, body: JSON.parse(text) };
}

/**
 * Sends one request to each side in turn, repeatedly, without concurrency.
 * @param {string} name of what is measured.
 * @param {(() => Promise<{ms: number, body: object|null}>)[]} sides each sends a request as `timed` does, and throws when an
 *   answer is not the one expected.
 * @param {Plan} plan
 * @returns {Promise<Latency[]>} of each side.
 * @throws {Error} when a busy machine turned too many requests away.
 */
export async function measureLatencies(name, sides, plan) {
  for (let count = 0; count < plan.warmUpRequests; count += 1) for (const send of sides) await send();
  const seen = sides.map(() => ({ times: [], turnedAway: 0 }));
  for (let count = 0; count < plan.requests; count += 1) {
    for (const [index, send] of sides.entries()) await note(seen[index], send);
  }
  for (const [index, send] of sides.entries()) await untilAnswered(seen[index], send);
  const latencies = seen.map(latencyOf);
  for (const latency of latencies) checkTurnedAway(name, [latency], plan.mostTurnedAway);
  return latencies;
}

async function note(seen, send) {
  const { ms, body } = await send();
  if (body) return seen.times.push(ms);
  seen.turnedAway += 1;
  return sleep(PAUSE_MS);
}

async function untilAnswered(seen, send) {
  const endsAtMs = performance.now() + ANSWERED_WITHIN_MS;
  while (seen.times.length === 0 && performance.now() < endsAtMs) await note(seen, send);
}

function latencyOf({ times, turnedAway }) {
  const [p50Ms, p95Ms, maxMs] = [50, 95, 100].map((percent) => percentileOf(times, percent));
  return { requests: times.length, turnedAway, p50Ms, p95Ms, maxMs };
}

/**
 * @param {number[]} times
 * @param {number} percent
 * @returns {number} so many percent of the times are no longer; 0 without any.
 */
export function percentileOf(times, percent) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
}

/** A time as it is printed. */
export const milliseconds = (value) => `${value.toLocaleString('en-GB', { maximumFractionDigits: 1 })} ms`;
