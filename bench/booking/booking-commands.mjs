import { connect } from '@nats-io/transport-node';
import { checkTurnedAway, describeTurnedAway } from '../measuring/turned-away.mjs';
import { commandTable, totalsOf } from './command-table.mjs';
import { countFor, countIdle, manyAtOnce, oneByOne } from './counting.mjs';
import { makeDataset } from './dataset.mjs';
import { bookingRequest } from './requests.mjs';
import { stackSide, startFloorSide } from './sides.mjs';

const CLIENTS = 32;
// Some pairs book repeatedly, so that not every booking inserts new days.
const PAIRS_ALONE = 4;
const LONG = { alone: 40, together: 320, idleMs: 20_000 };
const SHORT = { alone: 8, together: 64, idleMs: 2_000, mostTurnedAway: 1 };
const TITLES = ['Commands to the database', 'Requests over the bus'];
const COLUMNS = ['ours', 'floor', `ours, ${CLIENTS} clients`];

/**
 * Counts the database commands and NATS requests of a booking: on both sides one booking at a time, and of ours also with many
 * clients at once, where requests share commands. The services' periodic commands are counted beforehand, and subtracted.
 * @param {import('../run.mjs').Run} run
 * @returns {Promise<string>} a table, for a person.
 */
export async function bookingCommands(run) {
  const plan = run.isShort ? SHORT : LONG;
  const stack = await run.stack();
  const dataset = await makeDataset(stack, PAIRS_ALONE + CLIENTS);
  const requests = await countRequests(run.env.NATS_URL);
  const counters = [stack.counter, requests];
  const [few, many] = [dataset.pairs.slice(0, PAIRS_ALONE), dataset.pairs.slice(PAIRS_ALONE)];
  const ours = stackSide(run, stack, { ...dataset, pairs: few });
  const floor = await startFloorSide(run, stack, { ...dataset, pairs: few });
  const busy = stackSide(run, stack, { ...dataset, pairs: many });
  await ours.drain();
  const idle = await countIdle(counters, plan.idleMs);
  const passes = [];
  const alone = (side) => oneByOne(side, bookingRequest(side, dataset), plan.alone);
  const together = (side) =>
    manyAtOnce(side, bookingRequest(side, dataset), { count: plan.together, clients: CLIENTS });
  for (const [side, work] of [
    [ours, alone],
    [floor, alone],
    [busy, together],
  ]) {
    const pass = await countFor(side, counters, idle, () => work(side));
    checkTurnedAway(side.name, [pass], plan.mostTurnedAway);
    passes.push(pass);
  }
  await Promise.all([requests.close(), floor.stop()]);
  return describe(passes, plan, run.env.DATABASE_PREFIX);
}

function describe(passes, { alone, together }, prefix) {
  const countsOf = (which) => passes.map(({ counts }) => byService(counts[which], prefix));
  const [commands, requests] = TITLES.map((_, which) => totalsOf(countsOf(which))[0].toFixed(1));
  const turnedAway = describeTurnedAway(passes);
  return [
    `For each of ${alone} bookings one by one, and of ${together} by ${CLIENTS} clients`,
    `One booking at a time takes ${commands} commands to the database and ${requests} requests over the bus.`,
    ...(turnedAway ? [`note: ${turnedAway}.`] : []),
    '',
    ...TITLES.map((title, which) => commandTable(title, COLUMNS, countsOf(which))),
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
