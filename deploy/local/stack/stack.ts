import fs from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@swim/contracts';
import { resolveNats } from '../../bus/nats.ts';
import { checkDisk } from '../../system/files/disk-space.mjs';
import { tryLock } from '../../system/files/file-lock.mjs';
import { writeJson } from '../../system/files/json-file.ts';
import { LOCAL, ROOT } from '../../system/paths.mjs';
import { endOrphanProcesses, ownerMark } from '../../system/processes/orphan-processes.ts';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';
import { createSupervisor, type Supervisor } from '../../system/processes/supervisor.ts';
import { seedDemo } from '../demo/demo.ts';
import { panel } from '../demo/panel.ts';
import { resolveDatabase } from '../engine/resolve-database.ts';
import { type DevArguments, restartOnSave } from './dev.ts';
import { type MailInbox, startMailInbox } from './mail-inbox.ts';
import { busSetupProcess, gatewayProcess, SERVICES, serviceEnvironment, serviceProcess } from './product-processes.ts';
import { databasePassword, loadSecrets } from './secrets.ts';
import { checkPort, readPort } from './stack-checks.ts';

const STACK_FILE = path.join(LOCAL, 'stack.json');
const SECRETS_FILE = path.join(LOCAL, 'secrets.json');
const DEMO_FILE = path.join(LOCAL, 'demo.json');
const NEEDED_MEGABYTES = 300;

type Secrets = ReturnType<typeof loadSecrets<ServiceName>>;

interface Stack {
  log: (line: string) => void;
  port: number;
  prepare: () => Promise<void>;
  dev: DevArguments | undefined;
  supervisor: Supervisor;
  isReady: boolean;
  mongodbUri: string;
  natsUrl: string;
  /** The inbox is null when SMTP_URL names a mail server. */
  inbox: MailInbox | null;
  processes: ProcessDescription[];
  stopWatching?: () => void;
}

export interface RunStackOptions {
  log: (line: string) => void;
  /** Installs and builds the product; the lock is held by then. */
  prepare: () => Promise<void>;
  /** The processes to restart when a source is saved, from `readDevArguments`. */
  dev: DevArguments | undefined;
}

/**
 * Runs the whole product on this machine until a signal stops it (SIGINT or SIGTERM): database, NATS, the services, the
 * gateway and demo data. One stack per clone. Ends when all has been stopped in order.
 * @throws a sentence with the reason why it cannot start; nothing is left running then.
 */
export async function runStack({ log, prepare, dev }: RunStackOptions): Promise<void> {
  const port = readPort(process.env.PORT);
  const file = path.join(LOCAL, 'stack.lock');
  const lock = tryLock(file);
  if ('heldBy' in lock) {
    throw new Error(
      `This clone's stack is already running (pid ${lock.heldBy}). Stop it with Ctrl-C where it runs. If it ran in a container that is gone, remove ${file}.`,
    );
  }
  const supervisor = createSupervisor({
    log,
    logFolder: path.join(LOCAL, 'logs'),
    env: ownerMark(ROOT),
    onChange: () => {
      if (stack.isReady) writeStackFile(stack);
    },
  });
  const stack: Stack = {
    log,
    port,
    prepare,
    dev,
    supervisor,
    isReady: false,
    mongodbUri: '',
    natsUrl: '',
    inbox: null,
    processes: [],
  };
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

async function start(stack: Stack) {
  const startedAt = Date.now();
  for (const file of [STACK_FILE, DEMO_FILE]) fs.rmSync(file, { force: true });
  await endOrphanProcesses(ROOT, stack.log);
  await checkPort(stack.port);
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR || path.join(LOCAL, 'data'));
  fs.mkdirSync(dataDir, { recursive: true });
  checkDisk(dataDir, NEEDED_MEGABYTES, 'data and logs');
  await stack.prepare();
  const secrets = loadSecrets(SECRETS_FILE, SERVICES);
  await startServers(stack, dataDir, secrets);
  if (!process.env.SMTP_URL) stack.inbox = await startMailInbox();
  const env = { ...serviceEnvironment(stack), ...mailSettings(stack) };
  await startProduct(stack, env, secrets);
  const { demo, examples } = await seedDemo({
    origin: `http://127.0.0.1:${stack.port}`,
    env: { ...env, ...secrets.people },
    log: stack.log,
    isFilled: true,
  });
  writeJson(DEMO_FILE, demo, 0o600);
  stack.isReady = true;
  writeStackFile(stack);
  stack.log(panel({ demo, examples, mailUrl: stack.inbox?.url ?? null, seconds: (Date.now() - startedAt) / 1000 }));
  if (stack.dev) stack.stopWatching = watch(stack, stack.dev);
}

function watch({ supervisor, processes, log }: Stack, dev: DevArguments) {
  log(`restarting ${dev.names.join(', ')} when a source is saved`);
  const restart = async (name: string) => {
    await supervisor.stop([name]);
    for (const each of processes) if (each.name === name) await supervisor.launch(each);
  };
  return restartOnSave({ names: dev.names, restart, log });
}

async function startServers(stack: Stack, dataDir: string, secrets: Secrets) {
  const passwords = Object.fromEntries(
    Object.entries(secrets).map(([process, { NATS_PASSWORD }]) => [process, NATS_PASSWORD]),
  );
  const { log, supervisor } = stack;
  const [database, nats] = await allOrFirstError([
    resolveDatabase({ dataDir, log, supervisor, password: databasePassword(SECRETS_FILE) }),
    resolveNats({ dataDir, log, passwords, supervisor }),
  ]);
  Object.assign(stack, { mongodbUri: database.uri, natsUrl: nats.url });
}

async function startProduct(stack: Stack, env: Record<string, string>, secrets: Secrets) {
  const { supervisor, port, log, dev } = stack;
  log(`starting ${SERVICES.join(', ')} and the gateway …`);
  const built = dev ? 'dist' : 'bundle';
  const processes = await Promise.all([
    ...SERVICES.map((name) => serviceProcess(name, { ...env, ...secrets[name] }, built)),
    gatewayProcess(port, { ...env, ...secrets.gateway }, built),
    busSetupProcess({ ...env, ...secrets['bus-setup'] }),
  ]);
  stack.processes = dev ? processes.map((each) => asSource(each, dev)) : processes;
  await allOrFirstError(stack.processes.map((each) => supervisor.launch(each)));
}

/** Stack traces and breakpoints of a process in development are those of its sources. */
function asSource(description: ProcessDescription, { names, flags }: DevArguments): ProcessDescription {
  if (!names.includes(description.name)) return description;
  return { ...description, args: ['--enable-source-maps', ...flags, ...(description.args ?? [])] };
}

/** Waits for all promises, so that none is still starting while the others are being stopped. */
async function allOrFirstError<T extends readonly unknown[] | []>(promises: T) {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Returns the settings of e-mails from the environment, or those of the inbox. */
function mailSettings({ inbox, port }: Stack): Record<string, string> {
  const { SMTP_URL = inbox?.smtpUrl ?? '', MAIL_FROM, PUBLIC_URL } = process.env;
  return {
    SMTP_URL,
    MAIL_FROM: MAIL_FROM ?? 'Swim Lessons <lessons@swim.localhost>',
    PUBLIC_URL: PUBLIC_URL ?? `http://127.0.0.1:${port}`,
  };
}

async function stop({ supervisor, stopWatching, inbox }: Stack) {
  stopWatching?.();
  supervisor.close();
  await supervisor.stop(['gateway']);
  await Promise.all(SERVICES.map((name) => supervisor.stop([name])));
  await supervisor.stop();
  await inbox?.stop();
  fs.rmSync(STACK_FILE, { force: true });
}

function writeStackFile({ supervisor, processes, natsUrl, mongodbUri, inbox }: Stack) {
  const healthPort = (name: string) => processes.find((each) => each.name === name)?.env?.HEALTH_PORT;
  const facts = {
    processes: supervisor.processes().map((each) => ({ ...each, health_port: healthPort(each.name) })),
    nats_url: natsUrl,
    mongodb_uri: mongodbUri,
    mail_url: inbox?.url ?? null,
  };
  // The file is private because the address contains the database's password.
  writeJson(STACK_FILE, facts, 0o600);
}
