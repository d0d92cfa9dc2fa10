import { spawn } from 'node:child_process';
import path from 'node:path';
import { findNatsServer, prepareNats } from '../bus/nats.mjs';
import { readJson } from '../system/json-file.mjs';
import { nodeProgram, pathWithPackages } from '../system/node-program.mjs';
import { ROOT } from '../system/paths.mjs';
import { build } from './build.mjs';
import { readDevArguments } from './dev.mjs';
import { prepareDatabase } from './engine/resolve-database.mjs';
import { createEphemeral } from './ephemeral.mjs';
import { runStack } from './stack.mjs';

/** Programs that write what follows from the contracts. */
const GENERATORS = {
  openapi: 'gateway/dist/openapi.js',
  permissions: 'deploy/bus/nats-conf.mjs',
  diagrams: 'deploy/checks/architecture-diagrams.mjs',
};

const COMMANDS = {
  start,
  dev: start,
  test,
  bench,
  check,
  openapi: (run) => generate(run, [GENERATORS.openapi]),
  generate: (run) => generate(run, Object.values(GENERATORS)),
  prepare: (run) => prepare(run, { withDatabase: true }).then(() => 0),
};

/**
 * Runs `start`, `dev`, `test`, `bench`, `check`, `openapi`, `generate` or `prepare`; the packages are installed.
 * @param {string[]} words the command and its own arguments.
 * @returns {Promise<number>} the exit code; errors have been printed then.
 */
async function runCommandLine([name, ...args]) {
  const command = COMMANDS[name];
  if (!command) {
    console.error(`Say one of: ${Object.keys(COMMANDS).join(', ')}`);
    return 2;
  }
  // A closed terminal must not prevent the shutdown of child processes.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  /** @type {{name: string, args: string[], ends: (() => Promise<void>)[], log: (line: string) => void}} */
  const run = { name, args, ends: [], log: (line) => console.error(line) };
  try {
    return await (name === 'start' || name === 'dev' ? start(run) : Promise.race([command(run), interruption()]));
  } catch (error) {
    console.error(error.code === 'ENOSPC' ? `The disk is full: ${error.message}` : error.message);
    return 1;
  } finally {
    for (const end of run.ends) await end();
  }
}

async function start({ name, args }) {
  const log = (line) => console.log(line);
  const dev = name === 'dev' ? readDevArguments(args) : undefined;
  await runStack({ log, dev, prepare: () => prepare({ log }, { withDatabase: true }) });
  return 0;
}

async function test(run) {
  const given = process.env.TEST_MONGODB_URI;
  await prepare(run, { withDatabase: !given, withServers: true });
  const env = {
    TEST_MONGODB_URI: given ?? (await ephemeralOf(run).start()).mongodbUri,
    NATS_SERVER: process.env.NATS_SERVER ?? findNatsServer().command,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules`.trim(),
  };
  return inForeground(
    nodeProgram(),
    ['node_modules/jest/bin/jest.js', '--config', 'jest.config.mjs', ...run.args],
    env,
  );
}

async function bench(run) {
  await prepare(run, { withDatabase: true });
  const ephemeral = ephemeralOf(run);
  const { mongodbUri, natsUrl } = await ephemeral.start({ withNats: true });
  const env = {
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    // Their processor time is part of what a request costs.
    BENCH_SERVERS: JSON.stringify(ephemeral.processes()),
  };
  return inForeground(nodeProgram(), ['bench/run.mjs', ...run.args], env);
}

async function check(run) {
  await prepare(run, { withDatabase: false });
  const names = Object.keys(readJson(path.join(ROOT, 'package.json')).scripts).filter((name) =>
    name.startsWith('check:'),
  );
  const failed = [];
  for (const name of names) if ((await inForeground('npm', ['run', '--silent', name], {})) !== 0) failed.push(name);
  run.log(failed.length ? `failed: ${failed.join(', ')}` : `all right: ${names.join(', ')}`);
  return failed.length ? 1 : 0;
}

async function generate(run, generators) {
  await prepare(run, { withDatabase: false });
  for (const generator of generators) {
    const code = await inForeground(nodeProgram(), [generator, '--write'], {});
    if (code !== 0) return code;
  }
  return 0;
}

async function prepare({ log }, { withDatabase, withServers = withDatabase }) {
  await Promise.all([build(log), withServers && prepareNats(log), withDatabase && prepareDatabase({ log })]);
}

function ephemeralOf(run) {
  const ephemeral = createEphemeral(run.log);
  run.ends.push(ephemeral.stop);
  return ephemeral;
}

function inForeground(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, PATH: pathWithPackages(), ...env },
    });
    process.once('exit', () => child.kill());
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function interruption() {
  return new Promise((resolve) => {
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
