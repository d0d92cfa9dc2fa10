import { setTimeout as sleep } from 'node:timers/promises';
import { countCommands } from './command-counter.mjs';
import { BenchDatabase } from './database.mjs';
import { bookingRequest } from './requests.mjs';
import { stackSide, startFloorSide } from './sides.mjs';
import { startStack } from './stack.mjs';
import { makeWorld } from './world.mjs';

const BOOKINGS = 20;
const PAIRS = 4;
const BETWEEN_MS = 200;
const NAME_WIDTH = 24;

/**
 * Counts the commands that a booking is to the database, on both sides, one booking at a time. Reads that the services
 * make every second whether there is work or not are counted in an equal time before, and left out.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} a table, for a person.
 */
export async function bookingCommands(run) {
  const counter = await countCommands(run.env.MONGODB_URI);
  const counted = { ...run, env: { ...run.env, MONGODB_URI: counter.uri } };
  const stack = await startStack(counted);
  const database = new BenchDatabase(run.env);
  run.atEnd(() => database.removeAll());
  const world = await makeWorld(stack, PAIRS, run.log);
  const sides = [stackSide(counted, stack, world, database), await startFloorSide(counted, world, database)];
  const [ours, floor] = [await countFor(sides[0], world, counter), await countFor(sides[1], world, counter)];
  counter.close();
  const names = [...new Set([...ours.keys(), ...floor.keys()])].sort();
  const row = (name, a, b) => `  ${name.padEnd(NAME_WIDTH)} ${a.padStart(8)} ${b.padStart(8)}`;
  const shown = (counts, name) => (counts.get(name) ?? 0).toFixed(2);
  return [
    `Commands for each of ${BOOKINGS} bookings`,
    row('', 'ours', 'floor'),
    ...names.map((name) => row(name, shown(ours, name), shown(floor, name))),
    '',
  ].join('\n');
}

async function countFor(side, world, counter) {
  const idle = await within(counter, () => {});
  const busy = await within(counter, () => send(side, world), side.settle);
  const perBooking = [...busy].map(([name, count]) => [name, (count - (idle.get(name) ?? 0)) / BOOKINGS]);
  // A sweep more or less falls into either time.
  return new Map(perBooking.filter(([, count]) => count > 1 / PAIRS / BOOKINGS));
}

async function within(counter, work, settle = async () => {}) {
  counter.take();
  for (let count = 0; count < BOOKINGS; count += 1) {
    const pause = sleep(BETWEEN_MS);
    await work();
    await pause;
  }
  await settle();
  return counter.take();
}

async function send({ origin, nextBooking }, world) {
  const { method, path, headers } = bookingRequest({ nextBooking }, world);
  const response = await fetch(origin + path, { method, headers, body: JSON.stringify(nextBooking()) });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${origin} answered ${response.status}: ${text}`);
}
