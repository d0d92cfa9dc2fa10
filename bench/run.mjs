import crypto from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ownerMark } from '../deploy/local/orphan-processes.mjs';
import { ROOT } from '../deploy/local/paths.mjs';
import { serviceEnvironment } from '../deploy/local/product-processes.mjs';
import { createSupervisor } from '../deploy/local/supervisor.mjs';
import { temporaryFolder } from '../deploy/local/temporary-folder.mjs';
import { booking } from './booking/booking.mjs';
import { bookingCommands } from './booking/booking-commands.mjs';
import { calendar } from './calendar/calendar.mjs';
import { hop } from './hop/hop.mjs';
import { hopProfile } from './hop/hop-profile.mjs';
import { memory } from './memory/memory.mjs';
import { people } from './people/people.mjs';

/**
 * What a measurement is given.
 * @typedef {object} Run
 * @property {object} supervisor of `createSupervisor`; what it launched is ended when the measurement is over.
 * @property {Record<string, string>} env of every process.
 * @property {string} folder for files that nobody needs afterwards.
 * @property {boolean} isShort whether to be done within half a minute.
 * @property {(line: string) => void} log what goes on, for a person.
 * @property {(work: () => Promise<void>) => void} atEnd has something done once the processes are ended.
 */

const MEASUREMENTS = {
  hop,
  booking,
  calendar,
  memory,
  people,
  'hop-profile': hopProfile,
  'booking-commands': bookingCommands,
};
const USAGE = `npm run bench -- ${Object.keys(MEASUREMENTS).join('|')} [--short]`;
const LONGEST_MS = 20 * 60_000;
const SECRETS = ['KEY_PEPPER', 'DATA_KEY', 'CURSOR_SECRET'];

async function main() {
  const { name, isShort } = readArguments();
  const { MONGODB_URI, NATS_URL } = process.env;
  if (!MEASUREMENTS[name] || !MONGODB_URI || !NATS_URL) throw new Error(`Say ${USAGE}`);
  const log = (line) => console.error(line);
  warnIfBusy(log);
  const { folder, remove } = temporaryFolder();
  const ends = [];
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log, env: ownerMark(ROOT) });
  try {
    const atEnd = (work) => ends.push(work);
    const measuring = MEASUREMENTS[name]({ supervisor, env: environment(), folder, isShort, log, atEnd });
    // Fails as well once everything is being stopped, and that is no news then.
    measuring.catch(() => {});
    console.log(`\n${await Promise.race([measuring, interruption(), tooLong()])}`);
  } finally {
    supervisor.close();
    await supervisor.stop().finally(remove);
    for (const end of ends) await end();
  }
}

function readArguments() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { short: { type: 'boolean' } } });
  return { name: positionals[0], isShort: values.short ?? false };
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
