import { fileURLToPath } from 'node:url';
import { SERVICES } from '../../deploy/local/product-processes.ts';
import { nodeProgram } from '../../deploy/system/node-program.mjs';
import { accepts, freePort, waitUntil } from '../../deploy/system/ports.ts';
import type { Supervisor } from '../../deploy/system/supervisor.ts';
import { type BookingBody, createTimetable, type Dataset } from './dataset.ts';
import type { Run, Stack } from './stack.ts';

const FLOOR = 'node:http + mongodb';
const QUIET_WITHIN_MS = 120_000;

/** The target of requests, and how to wait for their background work. */
export interface Side {
  name: string;
  origin: string;
  /** Of its processes. */
  pids: () => number[];
  /** A body of POST /v1/bookings that has not been sent yet. */
  nextBooking: () => BookingBody;
  /** Ids of sessions that exist. */
  findSessions: (limit: number) => Promise<string[]>;
  /** Waits for the background work of the requests. */
  drain: () => Promise<void>;
}

/** @returns the product. */
export function stackSide({ supervisor }: Run, { origin, database, isQuiet }: Stack, dataset: Dataset): Side {
  return {
    name: 'whole stack',
    origin,
    pids: () => pidsOf(supervisor, ['gateway', ...SERVICES]),
    nextBooking: createTimetable(dataset),
    findSessions: (limit) => database.findStackSessions(limit),
    drain: () => untilQuiet('the stack', isQuiet),
  };
}

/**
 * Starts the hand-written server over a database of its own.
 * @param stack - whose people it gets.
 */
export async function startFloorSide(
  { supervisor }: Run,
  { env, database, isQuiet }: Stack,
  dataset: Dataset,
): Promise<Side & { stop: () => Promise<void> }> {
  await untilQuiet('the stack', isQuiet);
  await database.prepareFloor();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const own = { PORT: String(port), BENCH_FLOOR_DATABASE: database.floorName, BENCH_ACCOUNT_ID: dataset.familyId };
  await supervisor.launch({
    name: FLOOR,
    command: nodeProgram(),
    args: [fileURLToPath(new URL('./floor.ts', import.meta.url))],
    env: { ...env, ...own },
    isReady: () => accepts(port),
  });
  return {
    name: FLOOR,
    origin,
    pids: () => pidsOf(supervisor, [FLOOR]),
    nextBooking: createTimetable(dataset),
    findSessions: (limit) => database.findFloorSessions(limit),
    drain: () => untilQuiet('the floor', async () => (await pendingAt(origin)) === 0),
    stop: () => supervisor.stop([FLOOR]),
  };
}

async function pendingAt(origin: string) {
  const { data } = (await (await fetch(`${origin}/pending`)).json()) as { data: number };
  return data;
}

const pidsOf = (supervisor: Supervisor, names: string[]) =>
  supervisor.processes().flatMap(({ name, pid }) => (names.includes(name) ? [pid] : []));

/** @throws when that takes longer than two minutes. */
export async function untilQuiet(who: string, isQuiet: () => Promise<boolean>) {
  if (!(await waitUntil(isQuiet, QUIET_WITHIN_MS))) {
    throw new Error(`${who} did not finish what its bookings cause within ${QUIET_WITHIN_MS / 1000} s`);
  }
}
