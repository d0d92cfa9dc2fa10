import { makeDataset } from '../booking/dataset.mjs';
import { bookingRequest, sessionRequest } from '../booking/requests.mjs';
import { stackSide } from '../booking/sides.mjs';
import { residentMegabytes } from '../measuring/process-use.mjs';
import { answeredPass } from '../measuring/rounds.mjs';
import { checkTurnedAway, describeTurnedAway } from '../measuring/turned-away.mjs';

const TARGET_MEGABYTES = 150;
const LONG = { pairs: 64, seconds: 10 };
const SHORT = { pairs: 8, seconds: 0.5, connections: 8, mostTurnedAway: 1 };
const NAME_WIDTH = 16;

/**
 * Measures what each process of the product keeps resident, at rest and after bookings and look-ups on 64 connections.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} a table, for a person.
 */
export async function memory(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const processes = run.supervisor.processes();
  const atRest = processes.map(({ pid }) => residentMegabytes(pid));
  const dataset = await makeDataset(stack, plan.pairs);
  const side = stackSide(run, stack, dataset);
  const { seconds, connections, mostTurnedAway } = plan;
  run.log(`bookings and look-ups, ${seconds} s each`);
  const pass = (request) => answeredPass({ ...side, request }, seconds, connections);
  const passes = [await pass(bookingRequest(side, dataset)), await pass(await sessionRequest(side, dataset))];
  checkTurnedAway(side.name, passes, mostTurnedAway);
  const turnedAway = describeTurnedAway(passes);
  const rows = processes.map(({ name, pid }, index) => [name, atRest[index], residentMegabytes(pid)]);
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

const megabytes = (value) => `${value.toFixed(0).padStart(6)} MB`;
const verdictOn = (value) => (value <= TARGET_MEGABYTES ? '' : '  too much');
const sumOf = (rows, column) => rows.reduce((sum, row) => sum + row[column], 0);
