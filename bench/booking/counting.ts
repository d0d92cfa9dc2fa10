import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangingRequest } from '../measuring/load.ts';
import { isBusyStatus } from '../measuring/turned-away.ts';
import type { Side } from './sides.ts';

const BETWEEN_MS = 200;
// Smaller shares are noise of periodic sweeps.
const LEAST_SHARE = 0.01;
const TRIES = 3;

/** The number of occurrences by name. */
export type Counts = Map<string, number>;

/** `take` returns the occurrences since it was last called. */
export type Counter = { take: () => Counts };

interface Counted {
  tookMs: number;
  counts: Counts[];
}

export async function countWithin(counters: Counter[], work: () => Promise<unknown>): Promise<Counted> {
  for (const counter of counters) counter.take();
  const beganAtMs = performance.now();
  await work();
  return { tookMs: performance.now() - beganAtMs, counts: counters.map((counter) => counter.take()) };
}

/**
 * Repeats until a pass has no rejected request, since such a request takes more or fewer commands than one that
 * succeeds; after three passes the last one counts.
 * @param idle - the counts without requests: the services' periodic commands continue during the pass.
 * @param work - sends the requests, and returns the statuses of the responses.
 * @returns the counts per request.
 */
export async function countFor(
  { drain }: Side,
  counters: Counter[],
  idle: Counted,
  work: () => Promise<number[]>,
): Promise<Counts[]> {
  for (let tries = 1; ; tries += 1) {
    await drain();
    let statuses: number[] = [];
    const { tookMs, counts } = await countWithin(counters, async () => {
      statuses = await work();
      await drain();
    });
    if (statuses.some(isBusyStatus) && tries < TRIES) continue;
    return counts.map((each, which) => {
      const ofIdle = (name: string) => ((idle.counts[which]!.get(name) ?? 0) * tookMs) / idle.tookMs;
      const ofRequest = [...each].map(([name, count]) => [name, (count - ofIdle(name)) / statuses.length] as const);
      return new Map(ofRequest.filter(([, count]) => count >= LEAST_SHARE));
    });
  }
}

/** Sends requests one after the other with pauses, and returns their statuses. */
export async function oneByOne(
  side: Side,
  request: ChangingRequest,
  count: number,
  betweenMs = BETWEEN_MS,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const pause = sleep(betweenMs);
    statuses.push(await send(side, request));
    await pause;
  }
  return statuses;
}

/** Sends requests with a limited concurrency, and returns their statuses. */
export async function manyAtOnce(
  side: Side,
  request: ChangingRequest,
  { count, clients }: { count: number; clients: number },
): Promise<number[]> {
  const statuses: number[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) statuses.push(await send(side, request));
  };
  await Promise.all(Array.from({ length: clients }, client));
  return statuses;
}

async function send({ origin }: Side, request: ChangingRequest) {
  const { method, path, headers, body } = request.setupRequest(request);
  const response = await fetch(origin + path, { method, headers, body: body ?? null });
  const { status } = response;
  const text = await response.text();
  if (!response.ok && !isBusyStatus(status)) throw new Error(`${origin} answered ${status}: ${text}`);
  request.onResponse?.(status, text);
  return status;
}
