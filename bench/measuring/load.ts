import autocannon, { type Result } from 'autocannon';
import { cpuSeconds } from './process-use.ts';
import { isBusyStatus } from './turned-away.ts';

/** As many as every target is given for. */
const CONNECTIONS = 64;
const REQUEST_TIMEOUT_SECONDS = 10;
// A pass of some time ends at the end of a sample.
const LONGEST_SAMPLE_MS = 1_000;
const SAMPLES = 4;

/** A request, as autocannon takes it. */
export interface BenchRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Makes one of its own each time. */
  setupRequest?: (request: BenchRequest) => BenchRequest;
  /** Gets the status and body of each response. */
  onResponse?: (status: number, body: string) => void;
}

/** A request that differs each time. */
export type ChangingRequest = BenchRequest & Required<Pick<BenchRequest, 'setupRequest'>>;

/** What is measured: a server and the request that it gets repeatedly. */
export interface Subject {
  name: string;
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Of the processes whose CPU time counts. */
  pids: () => number[];
  request: BenchRequest;
  /** Requests of a pass, which then has no fixed length. */
  amount?: number;
  /** Waits until all that its requests cause is done. */
  drain?: () => Promise<void>;
}

/** One pass. */
export interface Pass {
  /** That succeeded. */
  requests: number;
  /** Requests that a busy machine rejected or did not answer in time; they count nowhere else. */
  turnedAway: number;
  requestsPerSecond: number;
  /** Half of the answers took no longer. */
  p50Ms: number;
  p99Ms: number;
  /** Of its processes for each request; null where that cannot be read. */
  cpuMicroseconds: number | null;
  /** How much of one core they had together. */
  cpuPercent: number | null;
  /** How long what the requests cause went on after the last answer. */
  drainedAfterMs: number;
}

/**
 * Sends requests on some connections, each the next as soon as the one before is answered.
 * @param connections - 64 by default.
 * @throws when a request failed for another reason than a busy machine: such a pass would say nothing.
 */
export async function load(
  { name, origin, pids, request, amount, drain }: Subject,
  seconds: number,
  connections: number = CONNECTIONS,
): Promise<Pass> {
  const before = { pids: pids().join(), cpu: cpuSeconds(pids()) };
  let error: string | undefined;
  const startedAtMs = performance.now();
  let answeredAtMs = startedAtMs;
  const onResponse = (status: number, body: string) => {
    answeredAtMs = performance.now();
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
  // A pass of some requests ends up to a sample after the last answer.
  const passSeconds = amount ? (answeredAtMs - startedAtMs) / 1_000 : result.duration;
  await drain?.();
  if (before.pids !== pids().join()) throw new Error(`${name} died while it was measured`);
  const turnedAway = turnedAwayOf(name, result, error);
  const requests = result['2xx'];
  const cpu = before.cpu === null ? null : cpuSeconds(pids())! - before.cpu;
  return {
    requests,
    turnedAway,
    requestsPerSecond: requests / passSeconds,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    drainedAfterMs: drain ? performance.now() - endedAtMs : 0,
    cpuMicroseconds: cpu === null ? null : (cpu * 1e6) / requests,
    cpuPercent: cpu === null ? null : (cpu * 100) / passSeconds,
  };
}

function turnedAwayOf(name: string, { errors, timeouts, non2xx, statusCodeStats }: Result, rejection: unknown) {
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => ({ status: Number(status), count }));
  const busy = statuses.reduce((sum, { status, count }) => sum + (isBusyStatus(status) ? count : 0), 0);
  if (errors > timeouts || non2xx > busy) {
    const counts = statuses.map(({ status, count }) => `${count} × ${status}`).join(', ');
    throw new Error(`${name} did not only succeed: ${counts}, ${errors - timeouts} errors; ${rejection}`);
  }
  return busy + timeouts;
}
