import os from 'node:os';
import { type BenchRequest, load, type Pass } from '../measuring/load.ts';
import { cpuSecondsOfTree, residentMegabytes } from '../measuring/process-use.ts';
import type { OwnSubject } from '../measuring/rounds.ts';
import type { CostSide } from './sides.ts';

export interface CostPass extends Pass {
  /** By the name of the process. */
  cpuMsOf: Map<string, number>;
  /** By the name of the process. */
  residentMbOf: Map<string, number>;
  /** Processes of the whole machine that ran or waited for a core in the last minute, ours included. */
  loadAverage: number;
}

/**
 * @param request - as autocannon takes it.
 * @param options - `amount` of requests, in place of a time.
 * @returns for `measureInTurn`.
 */
export function subjectOf(
  side: CostSide,
  request: BenchRequest,
  { connections, amount, name = side.name }: { connections?: number; amount?: number; name?: string } = {},
): OwnSubject<CostPass> {
  const { origin, drain } = side;
  const pids = () => side.processes().map(({ pid }) => pid);
  return {
    name,
    pass: async (seconds) => {
      const before = cpuOf(side);
      const subject = { name, origin, pids, request, drain, ...(amount && { amount }) };
      const pass = await load(subject, seconds, connections);
      const after = cpuOf(side);
      const ofRequest = ([process, used]: [string, number]) =>
        [process, ((used - (before.get(process) ?? 0)) * 1_000) / pass.requests] as const;
      const [loadAverage = 0] = os.loadavg();
      return { ...pass, cpuMsOf: new Map([...after].map(ofRequest)), residentMbOf: residentOf(side), loadAverage };
    },
  };
}

function cpuOf(side: CostSide) {
  const used = side.processes().flatMap(({ name, pid }) => {
    const seconds = cpuSecondsOfTree(pid);
    return seconds === null ? [] : [[name, seconds] as const];
  });
  return new Map(used);
}

function residentOf({ processes, services }: CostSide) {
  const own = processes().filter(({ name }) => services.includes(name));
  return new Map(own.map(({ name, pid }) => [name, residentMegabytes(pid)]));
}

/** @returns processor time of all processes for a request, in ms. */
export const cpuMs = ({ cpuMsOf }: CostPass): number => [...cpuMsOf.values()].reduce((sum, each) => sum + each, 0);
