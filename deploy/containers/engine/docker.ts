import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../system/processes/ports.ts';
import { runCommand } from '../../system/processes/run-command.mjs';
import type { DockerFiles } from './install-docker.ts';
import { enterPrivateNetwork } from './private-network.ts';

const UP_WITHIN_MS = 60_000;
/** The output of a build is long, and the reason of its failure is near the end. */
const SHOWN_LINES = 60;

/** Runs Docker's command line on an engine. */
export interface Docker {
  env: NodeJS.ProcessEnv;
  /**
   * Runs `docker` with these words.
   * @returns what it printed.
   * @throws with the end of what it printed.
   */
  run: (words: string[], options?: Options) => Promise<string>;
  /** Runs any program that uses this engine. */
  program: (command: string, words: string[], options?: Options) => Promise<string>;
  /** Ends the engine; its images stay. */
  stop: () => Promise<void>;
}

interface Options {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** The environment in which programs of the engine find each other. */
export const engineEnvironment = ({ bin, libraries }: DockerFiles): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${bin}:${process.env.PATH}`,
  XTABLES_LIBDIR: path.join(libraries, 'xtables'),
});

/**
 * Starts the engine in the namespaces of this process, with the images that earlier runs left, and without their containers.
 * @throws with the end of its log where it does not start.
 */
export async function startDocker(files: DockerFiles): Promise<Docker> {
  await enterPrivateNetwork();
  const env = {
    ...engineEnvironment(files),
    DOCKER_HOST: 'unix:///run/docker.sock',
    DOCKER_CONFIG: clientConfig(files),
  };
  const program: Docker['program'] = (command, words, options = {}) =>
    runCommand(command, words, { shownLines: SHOWN_LINES, ...options, env: { ...env, ...options.env } });
  const run: Docker['run'] = (words, options) => program('docker', words, options);
  const log = path.join(files.folder, 'dockerd.log');
  const output = fs.openSync(log, 'w');
  const words = ['--data-root', path.join(files.folder, 'data'), '--host', env.DOCKER_HOST, '--ip6tables=false'];
  const daemon = spawn('dockerd', words, { env, stdio: ['ignore', output, output] });
  const isUp = () =>
    run(['version']).then(
      () => true,
      () => false,
    );
  if (!(await waitUntil(isUp, UP_WITHIN_MS, () => daemon.exitCode !== null))) {
    const last = fs.readFileSync(log, 'utf8').trim().split('\n').slice(-15).join('\n');
    throw new Error(`Docker's engine does not start. The end of ${log}:\n${last}`);
  }
  await program('sh', ['-c', 'docker ps --all --quiet | xargs --no-run-if-empty docker rm --force --volumes']);
  await run(['volume', 'prune', '--all', '--force']);
  await run(['network', 'prune', '--force']);
  return { env, run, program, stop: () => end(daemon) };
}

async function end(daemon: ChildProcess) {
  if (daemon.exitCode !== null) return;
  const ended = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  await ended;
}

/** Docker's client finds its plugins in its own folder. */
function clientConfig({ folder, root }: DockerFiles) {
  const config = path.join(folder, 'client');
  fs.rmSync(config, { recursive: true, force: true });
  fs.mkdirSync(config);
  fs.symlinkSync(path.join(root, 'usr/libexec/docker/cli-plugins'), path.join(config, 'cli-plugins'));
  return config;
}
