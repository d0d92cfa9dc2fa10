import { setTimeout as sleep } from 'node:timers/promises';
import { percentileOf } from './statistics.ts';
import { checkTurnedAway, isBusyStatus, type Tally } from './turned-away.ts';

const PAUSE_MS = 200;
const ANSWERED_WITHIN_MS = 60_000;

/** The numbers of requests that are sent to each side. */
export interface Plan {
  requests: number;
  warmUpRequests: number;
  /** The share of the measured requests that a busy machine may reject with 503 or 504. */
  mostTurnedAway?: number;
}

export type Sender = () => Promise<Timed>;

export interface Timed {
  ms: number;
  /** The body is null when a busy machine rejected the request with 503 or 504. */
  // biome-ignore lint/suspicious/noExplicitAny: each request has a response of its own.
  body: any;
}

interface Seen {
  times: number[];
  turnedAway: number;
}

export type Latency = Tally & { p50Ms: number; p95Ms: number; maxMs: number };

/**
 * Sends a request and measures the time until its response is read.
 * @returns a null body when a busy machine rejected the request.
 * @throws when the response is another error.
 */
export async function timed(url: string, options: RequestInit): Promise<Timed> {
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
 * @param name - the name of the measurement, for errors.
 * @param sides - each sends a request as `timed` does, and throws when the answer is wrong.
 * @throws when a busy machine rejected too many requests.
 */
export async function measureLatencies(name: string, sides: Sender[], plan: Plan): Promise<Latency[]> {
  for (let count = 0; count < plan.warmUpRequests; count += 1) for (const send of sides) await send();
  const seen = sides.map((): Seen => ({ times: [], turnedAway: 0 }));
  for (let count = 0; count < plan.requests; count += 1) {
    for (const [index, send] of sides.entries()) await note(seen[index]!, send);
  }
  for (const [index, send] of sides.entries()) await untilAnswered(seen[index]!, send);
  const latencies = seen.map(latencyOf);
  for (const latency of latencies) checkTurnedAway(name, [latency], plan.mostTurnedAway);
  return latencies;
}

async function note(seen: Seen, send: Sender) {
  const { ms, body } = await send();
  if (body) {
    seen.times.push(ms);
    return;
  }
  seen.turnedAway += 1;
  await sleep(PAUSE_MS);
}

async function untilAnswered(seen: Seen, send: Sender) {
  const endsAtMs = performance.now() + ANSWERED_WITHIN_MS;
  while (seen.times.length === 0 && performance.now() < endsAtMs) await note(seen, send);
}

function latencyOf({ times, turnedAway }: Seen): Latency {
  return {
    requests: times.length,
    turnedAway,
    p50Ms: percentileOf(times, 50),
    p95Ms: percentileOf(times, 95),
    maxMs: percentileOf(times, 100),
  };
}

export function describeLatency(name: string, { p50Ms, p95Ms, maxMs, requests, turnedAway }: Latency): string {
  const times = [p50Ms, p95Ms, maxMs].map((ms) => ms.toFixed(1));
  const rejected = turnedAway > 0 ? `; ${turnedAway} more were turned away` : '';
  return `  ${name}: p50 ${times[0]} ms, p95 ${times[1]} ms, longest ${times[2]} ms of ${requests} requests${rejected}`;
}
