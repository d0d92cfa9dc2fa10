import crypto from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serviceEnvironment } from '../deploy/local/product-processes.ts';
import { ownerMark } from '../deploy/system/orphan-processes.ts';
import { ROOT } from '../deploy/system/paths.mjs';
import { createSupervisor } from '../deploy/system/supervisor.ts';
import { temporaryFolder } from '../deploy/system/temporary-folder.ts';
import { booking } from './booking/booking.mjs';
import { bookingCommands } from './booking/booking-commands.mjs';
import { startStack } from './booking/stack.mjs';
import { calendar } from './calendar/calendar.mjs';
import { cost } from './cost/cost.mjs';
import { costProfile } from './cost/cost-profile.mjs';
import { hop } from './hop/hop.mjs';
import { hopProfile } from './hop/hop-profile.mjs';
import { memory } from './memory/memory.mjs';
import { people } from './people/people.mjs';

/**
 * The input of a measurement.
 * @typedef {object} Run
 * @property {object} supervisor of `createSupervisor`; its processes are ended after the run.
 * @property {Record<string, string>} env of every process.
 * @property {string} folder for files, removed when the run is over.
 * @property {boolean} isShort whether to check only that every measurement works, within seconds.
 * @property {string|null} before folder of a built checkout that `cost` compares with; null without.
 * @property {() => Promise<import('./booking/stack.mjs').Stack>} stack answers the running product, which all measurements of
 *   the run share; it is started when one asks for it first.
 * @property {(line: string) => void} log what goes on, for a person.
 * @property {(work: () => Promise<void>) => void} atEnd has something done once the processes are ended.
 */

// In the order in which they run. The hop answers for scheduling on the bus, so it goes before the stack starts; memory wants
// a stack that has done nothing yet; calendar writes sessions that booking would count; cost restarts the
// stack to count commands, and cost-profile ends it.
const MEASUREMENTS = {
  hop,
  'hop-profile': hopProfile,
  memory,
  booking,
  'booking-commands': bookingCommands,
  people,
  calendar,
  cost,
  'cost-profile': costProfile,
};
const NAMES = Object.keys(MEASUREMENTS);
const USAGE = `npm run bench -- ${NAMES.join('|')} … [--short] [--before CHECKOUT]`;
const LONGEST_MS = 20 * 60_000;
const SECRETS = ['KEY_PEPPER', 'DATA_KEY', 'CURSOR_SECRET'];

async function main() {
  const { names, isShort, before } = readArguments();
  const { MONGODB_URI, NATS_URL } = process.env;
  const isUnderstood = names.length > 0 && names.every((name) => NAMES.includes(name));
  if (!isUnderstood || !MONGODB_URI || !NATS_URL) throw new Error(`Usage: ${USAGE}`);
  const log = (line) => console.error(line);
  warnIfBusy(log);
  const { folder, remove } = temporaryFolder();
  const ends = [];
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log, env: ownerMark(ROOT) });
  try {
    const atEnd = (work) => ends.push(work);
    const run = { supervisor, env: environment(), folder, isShort, before, log, atEnd };
    const measuring = measureAll(
      NAMES.filter((name) => names.includes(name)),
      run,
    );
    // It also fails when the run is being stopped, which is expected.
    measuring.catch(() => {});
    await Promise.race([measuring, interruption(), tooLong()]);
  } finally {
    supervisor.close();
    await supervisor.stop().finally(remove);
    for (const end of ends) await end();
  }
}

async function measureAll(names, run) {
  const isCounted = names.includes('booking-commands');
  if (isCounted && names.length > 1) run.log('beside booking-commands, figures that involve the database are too low');
  let starting;
  const stack = () => {
    starting ??= startStack(run, { isCounted });
    return starting;
  };
  for (const name of names) console.log(`\n${await MEASUREMENTS[name]({ ...run, stack })}`);
}

function readArguments() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean' }, before: { type: 'string' } },
  });
  // npm runs a script in the folder of its package.
  const before = values.before ? path.resolve(process.env.INIT_CWD ?? '.', values.before) : null;
  return { names: positionals, isShort: values.short ?? false, before };
}

/** Databases and secrets of our own, so that several measurements can share a server. */
function environment() {
  const { MONGODB_URI: mongodbUri, NATS_URL: natsUrl } = process.env;
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, crypto.randomBytes(32).toString('base64')]));
  const prefix = `bench_${crypto.randomBytes(4).toString('hex')}`;
  const common = serviceEnvironment({ mongodbUri, natsUrl });
  return { ...common, ...secrets, HOST: '127.0.0.1', DATABASE_PREFIX: prefix };
}

function warnIfBusy(log) {
  const [waiting] = os.loadavg();
  const cores = os.availableParallelism();
  if (waiting > cores)
    log(`this machine is busy (load ${waiting.toFixed(1)} on ${cores} cores): figures will be rough`);
}

function interruption() {
  return new Promise((_, reject) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => reject(new Error(`ended by ${name}`)));
  });
}

function tooLong() {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not done within ${LONGEST_MS / 60_000} minutes`)), LONGEST_MS).unref();
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
