import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNatsServer, prepareNats } from '../bus/nats.ts';
import { readJson } from '../system/files/json-file.ts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram, pathWithPackages } from '../system/processes/node-program.mjs';
import { endOrphanProcesses, ownerMark } from '../system/processes/orphan-processes.ts';
import { runCommand } from '../system/processes/run-command.mjs';
import { prepareDatabase } from './engine/resolve-database.ts';
import { createEphemeral } from './ephemeral.ts';
import { resolveBrowser } from './resolve-browser.ts';
import { build } from './stack/build.ts';
import { readDevArguments } from './stack/dev.ts';
import { COMPILED } from './stack/product-processes.ts';
import { runStack } from './stack/stack.ts';
import { prepareStripeMock } from './stripe-mock.ts';

/** These programs write files that follow from the contracts. */
const GENERATORS = {
  openapi: 'gateway/dist/openapi.js',
  client: 'libs/sdk/generator/generate.ts',
  permissions: 'deploy/bus/nats-conf.ts',
  diagrams: 'deploy/checks/architecture-diagrams.ts',
  docs: 'deploy/checks/docs-content.ts',
};

/** The patterns of jest for tests with a long form. */
const CHAOS = [
  'test/chaos',
  'killed-process',
  'booking/test/histories',
  'crash[^/]*[.]spec',
  '(availability.oracle|bench|calendar/claims|image|late-runners|retried-writes|service-outages|worked-example)[.]spec',
];

const COMPILE_CACHE = pathToFileURL(path.join(ROOT, 'deploy/compile-cache.mjs')).href;

interface Run {
  name: string;
  args: string[];
  /** Work that runs at the end, such as stopping servers. */
  ends: (() => Promise<void>)[];
  log: (line: string) => void;
}

const COMMANDS: Record<string, (run: Run) => Promise<number>> = {
  start,
  dev: start,
  test,
  chaos,
  bench,
  clients,
  check,
  openapi: (run) => generate(run, [GENERATORS.openapi]),
  generate: (run) => generate(run, Object.values(GENERATORS)),
  prepare: (run) => prepare(run, { withDatabase: true }).then(() => 0),
};

/**
 * Runs `start`, `dev`, `test`, `chaos`, `bench`, `clients`, `check`, `openapi`, `generate` or `prepare`; the packages are installed.
 * @param words - the command and its own arguments.
 * @returns the exit code; errors have been printed then.
 */
async function runCommandLine([name = '', ...args]: string[]): Promise<number> {
  const command = COMMANDS[name];
  if (!command) {
    console.error(`Say one of: ${Object.keys(COMMANDS).join(', ')}`);
    return 2;
  }
  // A closed terminal must not prevent the shutdown of child processes.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const run: Run = {
    name,
    args,
    ends: [],
    log: (line) => console.error(line),
  };
  try {
    return await (name === 'start' || name === 'dev' ? start(run) : Promise.race([command(run), interruption()]));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    console.error(code === 'ENOSPC' ? `The disk is full: ${message}` : message);
    return 1;
  } finally {
    for (const end of run.ends) await end();
  }
}

async function start({ name, args }: Run) {
  const log = (line: string) => console.log(line);
  const dev = name === 'dev' ? readDevArguments(args) : undefined;
  await runStack({ log, dev, prepare: () => prepare({ log }, { withDatabase: true }) });
  return 0;
}

async function test(run: Run) {
  const given = process.env.TEST_MONGODB_URI;
  if (given) await endOrphanProcesses(ROOT, run.log);
  const stripeMock = prepareStripeMock(run.log);
  const [chromium] = await Promise.all([
    resolveBrowser({ download: mayOpenPages(run.args), log: run.log }),
    prepare(run, { withDatabase: !given, withServers: true }),
  ]);
  const env = {
    // A test whose process is killed leaves its servers running: the next run finds them by this mark.
    ...ownerMark(ROOT),
    // Tests kill processes, never the machine.
    TEST_MONGODB_URI: given ?? (await ephemeralOf(run).start({ syncsToDisk: false })).mongodbUri,
    STRIPE_MOCK: stripeMock,
    CHROMIUM: chromium,
    ...(run.args.some((each) => each.endsWith('.spec.ts')) ? { TEST_WAIT_MS: '60000' } : {}),
    // For the processes that tests start, and for workers that jest replaces.
    NODE_COMPILE_CACHE: COMPILED,
    NATS_SERVER: process.env.NATS_SERVER ?? findNatsServer().command,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --import=${COMPILE_CACHE}`.trim(),
  };
  return inForeground(
    nodeProgram(),
    ['node_modules/jest/bin/jest.js', '--config', 'jest.config.mjs', ...run.args],
    env,
  );
}

/** The tests of faults in their long form: all, or those that the arguments select. */
function chaos(run: Run) {
  process.env.CHAOS = '1';
  return test({ ...run, args: run.args.length > 0 ? run.args : CHAOS });
}

/** Whether jest's arguments may select tests in a browser. */
const mayOpenPages = (args: string[]) => args.length === 0 || args.some((each) => /gateway|browser/.test(each));

async function bench(run: Run) {
  await prepare(run, { withDatabase: true });
  const ephemeral = ephemeralOf(run);
  const { mongodbUri, natsUrl = '' } = await ephemeral.start({ withNats: true });
  const env = {
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    // The processor time of these servers is part of the cost of a request.
    BENCH_SERVERS: JSON.stringify(ephemeral.processes()),
  };
  return inForeground(nodeProgram(), ['bench/run.ts', ...run.args], env);
}

async function clients(run: Run) {
  await prepare(run, { withDatabase: true });
  return inForeground(nodeProgram(), ['deploy/clients/clients.ts', ...run.args], {});
}

async function check(run: Run) {
  await prepare(run, { withDatabase: false });
  const { scripts } = readJson(path.join(ROOT, 'package.json')) as { scripts: Record<string, string> };
  const names = Object.keys(scripts).filter((name) => name.startsWith('check:'));
  const failed: string[] = [];
  const runChecks = async (waiting: string[]) => {
    for (let name = waiting.shift(); name; name = waiting.shift()) if (!(await passes(name))) failed.push(name);
  };
  // The others read what is built.
  const builds = (name: string) => scripts[name]!.startsWith('turbo ');
  await runChecks(names.filter(builds));
  // Most of them use one processor.
  const others = names.filter((name) => !builds(name));
  await Promise.all(Array.from({ length: os.availableParallelism() }, () => runChecks(others)));
  run.log(failed.length ? `failed: ${failed.join(', ')}` : `all right: ${names.join(', ')}`);
  return failed.length ? 1 : 0;
}

/** Runs a check, and prints what it says in one piece, since others run at the same time. */
async function passes(name: string) {
  const env = { ...process.env, PATH: pathWithPackages() };
  // A check that passes may warn on its standard error.
  return runCommand(`npm run --silent ${name} 2>&1`, [], { shell: true, cwd: ROOT, env, shownLines: 10_000 }).then(
    (text) => {
      process.stdout.write(text);
      return true;
    },
    ({ message }: Error) => {
      console.error(message);
      return false;
    },
  );
}

async function generate(run: Run, generators: string[]) {
  await prepare(run, { withDatabase: false });
  for (const generator of generators) {
    const code = await inForeground(nodeProgram(), [generator, '--write'], {});
    if (code !== 0) return code;
  }
  return 0;
}

async function prepare(
  { log }: Pick<Run, 'log'>,
  { withDatabase, withServers = withDatabase }: { withDatabase: boolean; withServers?: boolean },
) {
  await Promise.all([build(log), withServers && prepareNats(log), withDatabase && prepareDatabase({ log })]);
}

function ephemeralOf(run: Run) {
  const ephemeral = createEphemeral(run.log);
  run.ends.push(ephemeral.stop);
  return ephemeral;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill();
});

function inForeground(command: string, args: string[], env: Record<string, string>) {
  return new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, PATH: pathWithPackages(), ...env },
    });
    children.add(child);
    child.once('error', reject);
    child.once('exit', (code) => {
      children.delete(child);
      resolve(code ?? 1);
    });
  });
}

function interruption() {
  return new Promise<number>((resolve) => {
    // A terminal signals the whole group and each process of it passes the signal on: a second one must not end the shutdown.
    process
      .on('SIGINT', () => resolve(130))
      .on('SIGTERM', () => resolve(143))
      .on('SIGHUP', () => resolve(129));
  });
}

// A parent that was killed passes no signals on any more.
process.once('disconnect', () => process.kill(process.pid, 'SIGHUP'));
process.exit(await runCommandLine(process.argv.slice(2)));
