import crypto from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serviceEnvironment } from '../deploy/local/stack/product-processes.ts';
import { temporaryFolder } from '../deploy/system/files/temporary-folder.ts';
import { ROOT } from '../deploy/system/paths.mjs';
import { ownerMark } from '../deploy/system/processes/orphan-processes.ts';
import { createSupervisor } from '../deploy/system/processes/supervisor.ts';
import { booking } from './booking/booking.ts';
import { bookingCommands } from './booking/commands.ts';
import { cost } from './booking/cost.ts';
import { requestFiles } from './booking/request-files.ts';
import { calendar } from './calendar/calendar.ts';
import { families } from './families/families.ts';
import { hop } from './hop/hop.ts';
import { lessons } from './lessons/lessons.ts';
import { type Run, sharedStack } from './stack/stack.ts';
import { webhooks } from './webhooks/webhooks.ts';

// The measurements run in this order. The hop answers for scheduling on the bus, so it runs before the stack starts.
// After a start the services check the stored bookings, so commands are counted before there are many.
const MEASUREMENTS: Record<string, (run: Run) => Promise<string>> = {
  hop,
  'booking-commands': bookingCommands,
  calendar,
  webhooks,
  booking,
  cost,
  'request-files': requestFiles,
  lessons,
  families,
};
const NAMES = Object.keys(MEASUREMENTS);
const USAGE = `npm run bench -- ${NAMES.join('|')} … [--short]`;
const LONGEST_MS = 20 * 60_000;
const SECRETS = ['KEY_PEPPER', 'DATA_KEY', 'CURSOR_SECRET'];

async function main() {
  const { positionals: names, values } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false } },
  });
  const { MONGODB_URI, NATS_URL } = process.env;
  const isUnderstood = names.length > 0 && names.every((name) => NAMES.includes(name));
  if (!isUnderstood || !MONGODB_URI || !NATS_URL) throw new Error(`Usage: ${USAGE}`);
  const log = (line: string) => console.error(line);
  warnIfBusy(log);
  const { folder, remove } = temporaryFolder();
  const ends: (() => Promise<void>)[] = [];
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log, env: ownerMark(ROOT) });
  try {
    const atEnd = (work: () => Promise<void>) => void ends.push(work);
    const run = { supervisor, env: environment(), folder, isShort: values.short, log, atEnd };
    const measuring = measureAll(names, { ...run, stack: sharedStack(run) });
    // The measurement also fails when the run is being stopped, which is expected.
    measuring.catch(() => {});
    await Promise.race([measuring, interruption(), tooLong()]);
  } finally {
    supervisor.close();
    await supervisor.stop().finally(remove);
    for (const end of ends) await end();
  }
}

async function measureAll(names: string[], run: Run) {
  for (const [name, measure] of Object.entries(MEASUREMENTS))
    if (names.includes(name)) console.log(`\n${await measure(run)}`);
}

/** The measurement has its own databases and secrets, so that several measurements can share a server. */
function environment() {
  const { MONGODB_URI: mongodbUri = '', NATS_URL: natsUrl = '' } = process.env;
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, crypto.randomBytes(32).toString('base64')]));
  const prefix = `bench_${crypto.randomBytes(4).toString('hex')}`;
  const common = serviceEnvironment({ mongodbUri, natsUrl });
  // The receivers of webhooks are local.
  const local = { HOST: '127.0.0.1', WEBHOOK_ALLOW_PRIVATE: 'true' };
  return { ...common, ...secrets, ...local, DATABASE_PREFIX: prefix };
}

function warnIfBusy(log: (line: string) => void) {
  const [waiting = 0] = os.loadavg();
  const cores = os.availableParallelism();
  if (waiting > cores)
    log(`this machine is busy (load ${waiting.toFixed(1)} on ${cores} cores): figures will be rough`);
}

function interruption() {
  return new Promise<never>((_, reject) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => reject(new Error(`ended by ${name}`)));
  });
}

function tooLong() {
  return new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not done within ${LONGEST_MS / 60_000} minutes`)), LONGEST_MS).unref();
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
