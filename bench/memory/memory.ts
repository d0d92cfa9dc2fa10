import { makeDataset } from '../booking/dataset.ts';
import { bookingRequest, sessionRequest } from '../booking/requests.ts';
import { stackSide } from '../booking/sides.ts';
import type { Run } from '../booking/stack.ts';
import type { BenchRequest } from '../measuring/load.ts';
import { residentMegabytes } from '../measuring/process-use.ts';
import { answeredPass } from '../measuring/rounds.ts';
import { checkTurnedAway, describeTurnedAway } from '../measuring/turned-away.ts';

const TARGET_MEGABYTES = 256;
interface Plan {
  pairs: number;
  seconds: number;
  connections?: number;
  mostTurnedAway?: number;
}

/** Name, and MB before and after. */
type Row = [string, number, number];

const LONG: Plan = { pairs: 64, seconds: 10 };
const SHORT: Plan = { pairs: 8, seconds: 0.5, connections: 8, mostTurnedAway: 1 };
const NAME_WIDTH = 16;

/**
 * Measures what each process of the product keeps resident, at rest and after bookings and look-ups on 64 connections.
 * @returns a table, for a person.
 */
export async function memory(run: Run): Promise<string> {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const processes = run.supervisor.processes();
  const atRest = processes.map(({ pid }) => residentMegabytes(pid));
  const dataset = await makeDataset(stack, plan.pairs);
  const side = stackSide(run, stack, dataset);
  const { seconds, connections, mostTurnedAway } = plan;
  run.log(`bookings and look-ups, ${seconds} s each`);
  const pass = (request: BenchRequest) => answeredPass({ ...side, request }, seconds, connections);
  const passes = [await pass(bookingRequest(side, dataset)), await pass(await sessionRequest(side, dataset))];
  checkTurnedAway(side.name, passes, mostTurnedAway);
  const turnedAway = describeTurnedAway(passes);
  const rows = processes.map(({ name, pid }, index): Row => [name, atRest[index]!, residentMegabytes(pid)]);
  return [
    'Resident memory, at rest and after load',
    ...rows.map(
      ([name, before, after]) =>
        `  ${name.padEnd(NAME_WIDTH)} ${megabytes(before)} ${megabytes(after)}${verdictOn(after)}`,
    ),
    `  ${'together'.padEnd(NAME_WIDTH)} ${megabytes(sumOf(rows, 1))} ${megabytes(sumOf(rows, 2))}`,
    `  target: at most ${TARGET_MEGABYTES} MB each`,
    ...(turnedAway ? [`  note: ${turnedAway}.`] : []),
    '',
  ].join('\n');
}

const megabytes = (value: number) => `${value.toFixed(0).padStart(6)} MB`;
const verdictOn = (value: number) => (value <= TARGET_MEGABYTES ? '' : '  too much');
const sumOf = (rows: Row[], column: 1 | 2) => rows.reduce((sum, row) => sum + row[column], 0);
