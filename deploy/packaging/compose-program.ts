import path from 'node:path';
import { debianPrograms } from '../local/debian/debian-programs.ts';
import { findOnPath } from '../system/files/find-on-path.mjs';
import { runCommand } from '../system/processes/run-command.mjs';

const PACKAGE = 'docker-compose';
const NAME = 'docker-compose-2.26';
const PROGRAM = 'usr/libexec/docker/cli-plugins/docker-compose';
const WITHIN_MS = 90_000;

/**
 * Finds a program that reads compose files; none of them needs a Docker engine for that. In order: `docker-compose` on PATH;
 * `docker compose`; the one in the cache folder; Debian's package, downloaded into that folder (17 MB).
 * @param log - gets a line about a download.
 * @throws a sentence with the reason why there is none; at the latest after a minute and a half.
 */
export async function findComposeProgram(
  log: (line: string) => void,
): Promise<{ command: string; args: string[]; how: string }> {
  const onPath = findOnPath('docker-compose');
  if (onPath) return { command: onPath, args: [], how: `the docker-compose on PATH (${onPath})` };
  const docker = findOnPath('docker');
  if (docker && (await runs(docker, ['compose', 'version']))) {
    return { command: docker, args: ['compose'], how: `docker compose (${docker})` };
  }
  const folder = await within(WITHIN_MS, debianPrograms(NAME, { packages: [PACKAGE], release: 'trixie' }, log));
  const command = path.join(folder, PROGRAM);
  if (!(await runs(command, ['version']))) throw new Error(`${command} does not run on this machine`);
  return { command, args: [], how: `Debian's docker-compose (${command})` };
}

function runs(command: string, args: string[]) {
  return runCommand(command, args).then(
    () => true,
    () => false,
  );
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error(`the download took more than ${ms / 1000} s`));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
