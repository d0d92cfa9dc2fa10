import { load } from '../measuring/load.mjs';
import { cpuSecondsOfTree, residentMegabytes } from '../measuring/process-use.mjs';

/** @import { CostSide } from './sides.mjs' */
/** @import { Pass } from '../measuring/load.mjs' */

/**
 * A pass with the use of each process.
 * @typedef {Pass & {cpuMsOf: Map<string, number>, residentMbOf: Map<string, number>}} CostPass `cpuMsOf` is processor time of
 *   each process for a request that succeeded, its background work included, and empty where the system does not report it;
 *   `residentMbOf` is at the end of the pass.
 */

/**
 * @param {CostSide} side
 * @param {object} request as autocannon takes it.
 * @param {{connections?: number, amount?: number, name?: string}} [options] `amount` of requests, in place of a time.
 * @returns {{name: string, pass: (seconds: number) => Promise<CostPass>}} for `measureInTurn`.
 */
export function subjectOf(side, request, { connections, amount, name = side.name } = {}) {
  const { origin, drain } = side;
  const pids = () => side.processes().map(({ pid }) => pid);
  return {
    name,
    pass: async (seconds) => {
      const before = cpuOf(side);
      const pass = await load({ name, origin, pids, request, amount, drain }, seconds, connections);
      const after = cpuOf(side);
      const ofRequest = ([process, used]) => [process, ((used - before.get(process)) * 1_000) / pass.requests];
      return { ...pass, cpuMsOf: new Map([...after].map(ofRequest)), residentMbOf: residentOf(side) };
    },
  };
}

function cpuOf(side) {
  const used = side.processes().map(({ name, pid }) => [name, cpuSecondsOfTree(pid)]);
  return new Map(used.filter(([, seconds]) => seconds !== null));
}

function residentOf({ processes, services }) {
  const own = processes().filter(({ name }) => services.includes(name));
  return new Map(own.map(({ name, pid }) => [name, residentMegabytes(pid)]));
}

/** @returns {number} processor time of all processes for a request, in ms. */
export const cpuMs = ({ cpuMsOf }) => [...cpuMsOf.values()].reduce((sum, each) => sum + each, 0);
