import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { countCommands } from './command-counter.mjs';
import { BenchDatabase } from './database.mjs';
import { makeDataset } from './dataset.mjs';
import { bookingRequest } from './requests.mjs';
import { stackSide, startFloorSide } from './sides.mjs';
import { startStack } from './stack.mjs';

const BETWEEN_MS = 200;
const CLIENTS = 32;
// Some pairs come again one by one, so that not every booking opens new days.
const PAIRS_ALONE = 4;
const LONG = { alone: 20, together: 320 };
const SHORT = { alone: 8, together: 64 };
const NAME_WIDTH = 34;
// Fewer are a sweep more or less, which falls into either time.
const LEAST_SHARE = 0.01;
const TITLES = ['Commands to the database', 'Requests over the bus'];
const COLUMNS = ['ours', 'floor', `ours, ${CLIENTS} clients`];

/**
 * Counts what a booking is to the database and to the bus: on both sides one booking at a time, and of ours also with many
 * clients at once, where requests share commands. What the services do every second whether there is work or not is counted
 * beforehand, and left out.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} a table, for a person.
 */
export async function bookingCommands(run) {
  const counter = await countCommands(run.env.MONGODB_URI);
  const counted = { ...run, env: { ...run.env, MONGODB_URI: counter.uri } };
  const plan = run.isShort ? SHORT : LONG;
  const stack = await startStack(counted);
  const database = new BenchDatabase(run.env);
  run.atEnd(() => database.removeAll());
  const dataset = await makeDataset(stack, PAIRS_ALONE + CLIENTS, run.log);
  const requests = await countRequests(run.env.NATS_URL);
  const counters = [counter, requests];
  const [few, many] = [dataset.pairs.slice(0, PAIRS_ALONE), dataset.pairs.slice(PAIRS_ALONE)];
  const ours = stackSide(counted, stack, { ...dataset, pairs: few }, database);
  const floor = await startFloorSide(counted, { ...dataset, pairs: few }, database);
  const busy = stackSide(counted, stack, { ...dataset, pairs: many }, database);
  const alone = { bookings: plan.alone, work: oneByOne };
  const together = { bookings: plan.together, work: manyAtOnce };
  const passes = [
    await countFor(ours, dataset, counters, alone),
    await countFor(floor, dataset, counters, alone),
    await countFor(busy, dataset, counters, together),
  ];
  counter.close();
  await requests.close();
  const head = `For each of ${plan.alone} bookings one by one, and of ${plan.together} by ${CLIENTS} clients`;
  const shown = (counts) => byService(counts, run.env.DATABASE_PREFIX);
  return [
    head,
    '',
    ...TITLES.map((title, which) =>
      table(
        title,
        passes.map((pass) => shown(pass[which])),
      ),
    ),
  ].join('\n');
}

function table(title, counts) {
  const names = [...new Set(counts.flatMap((each) => [...each.keys()]))].sort();
  const row = (name, cells) =>
    `  ${name.padEnd(NAME_WIDTH)} ${cells.map((cell, at) => cell.padStart(COLUMNS[at].length + 3)).join('')}`;
  const figures = (name) => counts.map((each) => (each.get(name) ?? 0).toFixed(2));
  const sums = (matches) =>
    counts.map((each) => [...each].reduce((sum, [name, count]) => sum + (matches(name) ? count : 0), 0).toFixed(2));
  const services = [...new Set(names.map((name) => name.split(' ')[0]))];
  return [
    row(title, COLUMNS),
    ...services.flatMap((service) => [
      ...names.filter((name) => name.startsWith(`${service} `)).map((name) => row(name, figures(name))),
      row(
        `${service}: together`,
        sums((name) => name.startsWith(`${service} `)),
      ),
    ]),
    row(
      'all: together',
      sums(() => true),
    ),
    '',
  ].join('\n');
}

/** `<prefix>_<service>_<environment>/<command>` as `<service> <command>`. */
function byService(counts, prefix) {
  const shown = new Map();
  for (const [name, count] of counts) {
    const [, database, command] = name.match(/^([^/ ]+)\/(.*)$/) ?? [];
    const service = database?.replace(`${prefix}_`, '').replace(/_(keys_)?(live|test)$/, '');
    const as = service === undefined ? name : `${service} ${command}`;
    shown.set(as, (shown.get(as) ?? 0) + count);
  }
  return shown;
}

/** Counts the requests to services, and those to the counters of the limits. */
async function countRequests(natsUrl) {
  const connection = await connect({ servers: natsUrl });
  let counts = new Map();
  const note = (_, { subject }) => {
    const name = subject.startsWith('limits.') ? 'bus limits' : `bus ${subject}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const subject of ['rpc.>', 'limits.>']) connection.subscribe(subject, { callback: note });
  await connection.flush();
  const take = () => {
    const taken = counts;
    counts = new Map();
    return taken;
  };
  return { take, close: () => connection.close() };
}

/** For each booking, in the order of the counters. */
async function countFor(side, dataset, counters, { bookings, work }) {
  await side.drain();
  const idle = await within(counters, () => sleep(bookings * BETWEEN_MS));
  const worked = await within(counters, async () => {
    await work(side, dataset, bookings);
    await side.drain();
  });
  return worked.counts.map((counts, which) => {
    // Bookings take their time, in which the services go on doing what they do every second.
    const ofIdle = (name) => ((idle.counts[which].get(name) ?? 0) * worked.tookMs) / idle.tookMs;
    const perBooking = [...counts].map(([name, count]) => [name, (count - ofIdle(name)) / bookings]);
    return new Map(perBooking.filter(([, count]) => count >= LEAST_SHARE));
  });
}

async function within(counters, work) {
  for (const counter of counters) counter.take();
  const beganAtMs = performance.now();
  await work();
  return { tookMs: performance.now() - beganAtMs, counts: counters.map((counter) => counter.take()) };
}

async function oneByOne(side, dataset, bookings) {
  for (let count = 0; count < bookings; count += 1) {
    const pause = sleep(BETWEEN_MS);
    await send(side, dataset);
    await pause;
  }
}

async function manyAtOnce(side, dataset, bookings) {
  let left = bookings;
  const client = async () => {
    while (left-- > 0) await send(side, dataset);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function send({ origin, nextBooking }, dataset) {
  const { method, path, headers } = bookingRequest({ nextBooking }, dataset);
  const response = await fetch(origin + path, { method, headers, body: JSON.stringify(nextBooking()) });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${origin} answered ${response.status}: ${text}`);
}
