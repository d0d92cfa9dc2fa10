import os from 'node:os';
import autocannon, { type Result } from 'autocannon';
import type { RunningProcess } from '../../deploy/system/processes/supervisor.ts';
import { cpuMsOf, residentMegabytes } from './process-use.ts';
import { isBusyStatus } from './turned-away.ts';

/** Every target refers to 64 connections. */
const CONNECTIONS = 64;
const REQUEST_TIMEOUT_SECONDS = 10;
// A pass of a fixed duration ends at the end of a sample.
const LONGEST_SAMPLE_MS = 1_000;
const SAMPLES = 4;

/** A request in the format of autocannon. */
export interface BenchRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Returns the request to send next. */
  setupRequest?: (request: BenchRequest) => BenchRequest;
  onResponse?: (status: number, body: string) => void;
}

/** A request that differs each time. */
export type ChangingRequest = BenchRequest & Required<Pick<BenchRequest, 'setupRequest'>>;

/** A server and the request that is sent to it repeatedly. */
export interface Subject {
  name: string;
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** The processes whose processor time counts, with that of their children. */
  processes: () => RunningProcess[];
  request: BenchRequest;
  /** Overrides the number of connections of the plan. */
  connections?: number;
  /** The number of requests of a pass, which then has no fixed length. */
  amount?: number;
  /** Waits until all background work of its requests is done. */
  drain?: () => Promise<void>;
}

/** The results of one pass. */
export interface Pass {
  /** The number of requests that succeeded. */
  requests: number;
  /** Requests that a busy machine rejected or did not answer in time; they count nowhere else. */
  turnedAway: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of a request, by the name of the process; empty where the system does not report it. */
  cpuMsOf: Map<string, number>;
  /** Resident memory at the end of the pass, by the name of the process. */
  residentMbOf: Map<string, number>;
  /** The load average of the whole machine in the last minute, our processes included. */
  loadAverage: number;
}

/** Sums the processor time of all processes for a request; NaN where the system does not report it. */
export const cpuMs = ({ cpuMsOf: used }: Pass): number =>
  used.size === 0 ? Number.NaN : [...used.values()].reduce((sum, each) => sum + each, 0);

/**
 * Sends requests on several connections; each sends its next request when the last one is answered.
 * @param connections - 64 by default.
 * @throws when a request failed for another reason than a busy machine: such a pass would say nothing.
 */
export async function load(subject: Subject, seconds: number, connections: number = CONNECTIONS): Promise<Pass> {
  const { name, origin, processes, request, amount, drain } = subject;
  const before = processes();
  const cpuBefore = cpuMsOf(before);
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
    connections: subject.connections ?? connections,
    ...(amount ? { amount } : { duration: seconds }),
    timeout: REQUEST_TIMEOUT_SECONDS,
    sampleInt: Math.min(LONGEST_SAMPLE_MS, (seconds * 1_000) / SAMPLES),
    excludeErrorStats: true,
    requests: [{ ...request, onResponse }],
  });
  // A pass of a fixed number of requests ends up to a sample after the last answer.
  const passSeconds = amount ? (answeredAtMs - startedAtMs) / 1_000 : result.duration;
  await drain?.();
  if (pidsOf(before) !== pidsOf(processes())) throw new Error(`${name} died while it was measured`);
  const requests = result['2xx'];
  const used = [...cpuMsOf(before)].map(([each, ms]) => [each, (ms - cpuBefore.get(each)!) / requests] as const);
  return {
    requests,
    turnedAway: turnedAwayOf(name, result, error),
    requestsPerSecond: requests / passSeconds,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMsOf: new Map(used),
    residentMbOf: new Map(before.map((each) => [each.name, residentMegabytes(each.pid)])),
    loadAverage: os.loadavg()[0]!,
  };
}

const pidsOf = (processes: RunningProcess[]) => processes.map(({ pid }) => pid).join();

function turnedAwayOf(name: string, { errors, timeouts, non2xx, statusCodeStats }: Result, rejection: unknown) {
  const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => ({ status: Number(status), count }));
  const busy = statuses.reduce((sum, { status, count }) => sum + (isBusyStatus(status) ? count : 0), 0);
  if (errors > timeouts || non2xx > busy) {
    const counts = statuses.map(({ status, count }) => `${count} × ${status}`).join(', ');
    throw new Error(`${name} did not only succeed: ${counts}, ${errors - timeouts} errors; ${rejection}`);
  }
  return busy + timeouts;
}
