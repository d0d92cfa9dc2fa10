import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangingRequest } from '../measuring/load.ts';
import type { Tally } from '../measuring/turned-away.ts';
import { isBusyStatus } from '../measuring/turned-away.ts';
import type { Side } from './sides.ts';

const BETWEEN_MS = 200;
// Fewer are noise of sweeps.
const LEAST_SHARE = 0.01;
const TRIES = 3;

export type Counter = { take: () => Counts };

export type Counts = Map<string, number>;

export type Idle = { tookMs: number; counts: Counts[] };

export type Counted = Tally & { counts: Counts[] };

/** @param ms - how long no request is sent. */
export const countIdle = (counters: Counter[], ms: number): Promise<Idle> => within(counters, () => sleep(ms));

/**
 * Repeats until a pass has no rejected request, since such a request takes more or fewer commands than one that succeeds;
 * after three passes the last one counts.
 * @param work - sends the requests, and returns the statuses of the responses.
 */
export async function countFor(
  side: Pick<Side, 'drain'>,
  counters: Counter[],
  idle: Idle,
  work: () => Promise<number[]>,
): Promise<Counted> {
  for (let tries = 1; ; tries += 1) {
    await side.drain();
    const tally = { requests: 0, turnedAway: 0 };
    const worked = await within(counters, async () => {
      for (const status of await work()) tally[isBusyStatus(status) ? 'turnedAway' : 'requests'] += 1;
      await side.drain();
    });
    if (tally.turnedAway > 0 && tries < TRIES) continue;
    return { ...tally, counts: worked.counts.map((counts, which) => ofRequest(counts, idle.counts[which]!)) };

    function ofRequest(counts: Counts, idleCounts: Counts) {
      // The services' periodic commands continue during the requests.
      const ofIdle = (name: string) => ((idleCounts.get(name) ?? 0) * worked.tookMs) / idle.tookMs;
      const sent = tally.requests + tally.turnedAway;
      const perRequest = [...counts].map(([name, count]) => [name, (count - ofIdle(name)) / sent] as const);
      return new Map(perRequest.filter(([, count]) => count >= LEAST_SHARE));
    }
  }
}

async function within(counters: Counter[], work: () => Promise<unknown>): Promise<Idle> {
  for (const counter of counters) counter.take();
  const beganAtMs = performance.now();
  await work();
  return { tookMs: performance.now() - beganAtMs, counts: counters.map((counter) => counter.take()) };
}

/**
 * @param request - as autocannon takes it.
 * @returns the statuses of as many requests, one after the other with pauses.
 */
export async function oneByOne(side: { origin: string }, request: ChangingRequest, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const pause = sleep(BETWEEN_MS);
    statuses.push(await send(side, request));
    await pause;
  }
  return statuses;
}

/**
 * @param request - as autocannon takes it.
 * @returns the statuses of as many requests, so many at a time.
 */
export async function manyAtOnce(
  side: { origin: string },
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

async function send({ origin }: { origin: string }, request: ChangingRequest) {
  const { method, path, headers, body } = request.setupRequest(request);
  const response = await fetch(origin + path, { method, headers, body: body ?? null });
  const { status } = response;
  const text = await response.text();
  if (!response.ok && !isBusyStatus(status)) throw new Error(`${origin} answered ${status}: ${text}`);
  request.onResponse?.(status, text);
  return status;
}
