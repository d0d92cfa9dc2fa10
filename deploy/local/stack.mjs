import fs from 'node:fs';
import path from 'node:path';
import { resolveNats } from '../bus/nats.mjs';
import { checkDisk } from '../system/disk-space.mjs';
import { tryLock } from '../system/file-lock.mjs';
import { writeJson } from '../system/json-file.mjs';
import { endOrphanProcesses, ownerMark } from '../system/orphan-processes.mjs';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { createSupervisor } from '../system/supervisor.mjs';
import { seedDemo } from './demo.mjs';
import { restartOnSave } from './dev.mjs';
import { resolveDatabase } from './engine/resolve-database.mjs';
import { panel } from './panel.mjs';
import { gatewayProcess, SERVICES, serviceEnvironment, serviceProcess } from './product-processes.mjs';
import { loadSecrets } from './secrets.mjs';
import { checkPort, readPort } from './stack-checks.mjs';

const STACK_FILE = path.join(LOCAL, 'stack.json');
const DEMO_FILE = path.join(LOCAL, 'demo.json');
const NEEDED_MEGABYTES = 300;

/**
 * @typedef {object} Stack what is known of the stack that is being run.
 * @property {(line: string) => void} log
 * @property {number} port
 * @property {() => Promise<void>} prepare
 * @property {{names: string[], flags: string[]}} [dev]
 * @property {import('../system/supervisor.mjs').Supervisor} supervisor
 * @property {boolean} isReady
 * @property {string} mongodbUri
 * @property {string} natsUrl
 * @property {import('../system/supervisor.mjs').ProcessDescription[]} processes
 * @property {() => void} [stopWatching]
 */

/**
 * Runs the whole product on this machine until a signal stops it (SIGINT or SIGTERM): database, NATS, the services, the
 * gateway and demo data. One stack per clone.
 * @param {object} options
 * @param {(line: string) => void} options.log
 * @param {() => Promise<void>} options.prepare installs and builds the product; the lock is held by then.
 * @param {{names: string[], flags: string[]}} [options.dev] of `readDevArguments`: processes to restart when a source is saved.
 * @returns {Promise<void>} ends when all has been stopped in order.
 * @throws {Error} a sentence with the reason why it cannot start; nothing is left running then.
 */
export async function runStack({ log, prepare, dev }) {
  const port = readPort(process.env.PORT);
  const lock = tryLock(path.join(LOCAL, 'stack.lock'));
  if ('heldBy' in lock) {
    throw new Error(`This clone's stack is already running (pid ${lock.heldBy}). Stop it with Ctrl-C where it runs.`);
  }
  const supervisor = createSupervisor({
    log,
    logFolder: path.join(LOCAL, 'logs'),
    env: ownerMark(ROOT),
    onChange: () => stack.isReady && writeStackFile(stack),
  });
  /** @type {Stack} */
  const stack = { log, port, prepare, dev, supervisor, isReady: false, mongodbUri: '', natsUrl: '', processes: [] };
  const stopRequested = new Promise((resolve) =>
    ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((name) => process.on(name, resolve)),
  );
  try {
    const started = start(stack);
    await Promise.race([started, stopRequested]);
    // Starts in progress fail after the signal, which is expected.
    started.catch(() => {});
    await stopRequested;
    log('stopping …');
  } finally {
    await stop(stack);
    lock.release();
  }
  log('stopped; the data stays');
}

/** @param {Stack} stack */
async function start(stack) {
  const startedAt = Date.now();
  for (const file of [STACK_FILE, DEMO_FILE]) fs.rmSync(file, { force: true });
  await endOrphanProcesses(ROOT, stack.log);
  await checkPort(stack.port);
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR || path.join(LOCAL, 'data'));
  fs.mkdirSync(dataDir, { recursive: true });
  checkDisk(dataDir, NEEDED_MEGABYTES, 'data and logs');
  await stack.prepare();
  const secrets = loadSecrets(path.join(LOCAL, 'secrets.json'), SERVICES);
  await startServers(stack, dataDir, secrets);
  const env = serviceEnvironment(stack);
  await startProduct(stack, env, secrets);
  const { demo, examples } = await seedDemo({
    origin: `http://127.0.0.1:${stack.port}`,
    env: { ...env, ...secrets.people },
    log: stack.log,
  });
  writeJson(DEMO_FILE, demo, 0o600);
  stack.isReady = true;
  writeStackFile(stack);
  stack.log(panel({ demo, examples, seconds: (Date.now() - startedAt) / 1000 }));
  if (stack.dev) stack.stopWatching = watch({ ...stack, dev: stack.dev });
}

/** @param {Stack & Required<Pick<Stack, 'dev'>>} stack */
function watch({ dev, supervisor, processes, log }) {
  log(`restarting ${dev.names.join(', ')} when a source is saved`);
  const restart = async (name) => {
    await supervisor.stop([name]);
    for (const each of processes) if (each.name === name) await supervisor.launch(each);
  };
  return restartOnSave({ names: dev.names, restart, log });
}

/**
 * @param {Stack} stack
 * @param {string} dataDir
 * @param {Record<string, Record<string, string>>} secrets
 */
async function startServers(stack, dataDir, secrets) {
  const passwords = Object.fromEntries(
    Object.entries(secrets).map(([process, { NATS_PASSWORD }]) => [process, NATS_PASSWORD]),
  );
  const { log, supervisor } = stack;
  const [database, nats] = await allOrFirstError([
    resolveDatabase({ dataDir, log, supervisor }),
    resolveNats({ dataDir, log, passwords, supervisor }),
  ]);
  Object.assign(stack, { mongodbUri: database.uri, natsUrl: nats.url });
}

async function startProduct(stack, env, secrets) {
  const { supervisor, port, log, dev } = stack;
  log(`starting ${SERVICES.join(', ')} and the gateway …`);
  const processes = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, { ...env, ...secrets[name] })),
    gatewayProcess(port, { ...env, ...secrets.gateway }),
  ]);
  stack.processes = dev ? processes.map((each) => asSource(each, dev)) : processes;
  await allOrFirstError(stack.processes.map((each) => supervisor.launch(each)));
}

/** Stack traces and breakpoints of a process in development are those of its sources. */
function asSource(description, { names, flags }) {
  if (!names.includes(description.name)) return description;
  return { ...description, args: ['--enable-source-maps', ...flags, ...description.args] };
}

/**
 * Waits for all, so that none is still starting while the others are being stopped.
 * @param {Promise<any>[]} promises
 */
async function allOrFirstError(promises) {
  const results = await Promise.allSettled(promises);
  const failed = results.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** @param {Stack} stack */
async function stop({ supervisor, stopWatching }) {
  stopWatching?.();
  supervisor.close();
  await supervisor.stop(['gateway']);
  await Promise.all(SERVICES.map((name) => supervisor.stop([name])));
  await supervisor.stop();
  fs.rmSync(STACK_FILE, { force: true });
}

function writeStackFile({ supervisor, natsUrl, mongodbUri }) {
  writeJson(STACK_FILE, {
    processes: supervisor.processes(),
    nats_url: natsUrl,
    mongodb_uri: mongodbUri,
    mail_url: null,
  });
}
