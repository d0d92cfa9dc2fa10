import fs from 'node:fs';
import path from 'node:path';
import { seedDemo } from './demo.mjs';
import { checkDisk } from './disk-space.mjs';
import { resolveDatabase } from './engine/resolve-database.mjs';
import { tryLock } from './file-lock.mjs';
import { writeJson } from './json-file.mjs';
import { endLeftovers, ownerMark } from './leftovers.mjs';
import { resolveNats } from './nats.mjs';
import { panel } from './panel.mjs';
import { LOCAL, ROOT } from './paths.mjs';
import { gatewayProcess, SERVICES, serviceEnvironment, serviceProcess } from './product-processes.mjs';
import { loadSecrets } from './secrets.mjs';
import { checkPort, readPort } from './stack-checks.mjs';
import { createSupervisor } from './supervisor.mjs';

const STACK_FILE = path.join(LOCAL, 'stack.json');
const DEMO_FILE = path.join(LOCAL, 'demo.json');
const NEEDED_MEGABYTES = 300;

/**
 * Runs the whole product on this machine until it is told to stop (SIGINT or SIGTERM): database, NATS, the services, the
 * gateway and demo data. One stack per clone.
 * @param {object} options
 * @param {(line: string) => void} options.log
 * @param {() => Promise<void>} options.prepare installs and builds what is to be run; the lock is held by then.
 * @returns {Promise<void>} ends when all has been stopped in order.
 * @throws {Error} a sentence saying why it cannot start; nothing is left running then.
 */
export async function runStack({ log, prepare }) {
  const port = readPort(process.env.PORT);
  const lock = tryLock(path.join(LOCAL, 'stack.lock'));
  if ('heldBy' in lock) {
    throw new Error(`This clone's stack is already running (pid ${lock.heldBy}). Stop it with Ctrl-C where it runs.`);
  }
  const stack = { log, port, prepare, isReady: false };
  stack.supervisor = createSupervisor({
    log,
    logFolder: path.join(LOCAL, 'logs'),
    env: ownerMark(ROOT),
    onChange: () => stack.isReady && writeStackFile(stack),
  });
  const toldToStop = new Promise((resolve) =>
    ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((name) => process.on(name, resolve)),
  );
  try {
    const started = start(stack);
    await Promise.race([started, toldToStop]);
    // What is being started when the signal comes fails then, and that is no news.
    started.catch(() => {});
    await toldToStop;
    log('stopping …');
  } finally {
    await stop(stack);
    lock.release();
  }
  log('stopped; the data stays');
}

async function start(stack) {
  const startedAt = Date.now();
  for (const file of [STACK_FILE, DEMO_FILE]) fs.rmSync(file, { force: true });
  await endLeftovers(ROOT, stack.log);
  await checkPort(stack.port);
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR || path.join(LOCAL, 'data'));
  fs.mkdirSync(dataDir, { recursive: true });
  checkDisk(dataDir, NEEDED_MEGABYTES, 'data and logs');
  await stack.prepare();
  await startServers(stack, dataDir);
  const env = serviceEnvironment({ ...stack, secrets: loadSecrets(path.join(LOCAL, 'secrets.json')) });
  await startProduct(stack, env);
  const { demo, examples } = await seedDemo({ origin: `http://127.0.0.1:${stack.port}`, env, log: stack.log });
  writeJson(DEMO_FILE, demo, 0o600);
  stack.isReady = true;
  writeStackFile(stack);
  stack.log(panel({ demo, examples, seconds: (Date.now() - startedAt) / 1000 }));
}

async function startServers(stack, dataDir) {
  const { log, supervisor } = stack;
  const [database, nats] = await allOrFirstError([
    resolveDatabase({ dataDir, log, supervisor }),
    resolveNats({ dataDir, log, supervisor }),
  ]);
  Object.assign(stack, { mongodbUri: database.uri, natsUrl: nats.url });
}

async function startProduct({ supervisor, port, log }, env) {
  log(`starting ${SERVICES.join(', ')} and the gateway …`);
  const { KEY_PEPPER, KEY_PEPPERS, DATA_KEY, DATA_KEYS_ALSO_READ, CURSOR_SECRET, ...gatewayEnv } = env;
  const processes = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, env)),
    gatewayProcess(port, gatewayEnv),
  ]);
  await allOrFirstError(processes.map((each) => supervisor.launch(each)));
}

/** All are given their time, so that none is still on its way up while the others are being stopped. */
async function allOrFirstError(promises) {
  const results = await Promise.allSettled(promises);
  const failed = results.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((each) => each.value);
}

async function stop({ supervisor }) {
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
