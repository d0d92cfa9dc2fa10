import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../system/processes/run-command.mjs';
import { aptSource } from './apt-source.ts';

const NO_APT = 'apt-get is missing';

/**
 * Downloads Debian packages with all they need, without touching the machine's own package state. Its status file is empty,
 * so that apt downloads everything down to the C library.
 * @param folder - apt's private state; what is already there is not downloaded again.
 * @param packages - `choose` gets the names that match the regular expression `pattern`, and returns the packages to
 *   download; `release` names a release of Debian, by default the rolling one.
 * @param onProgress - gets "54 of 134 MB".
 * @returns the absolute paths of the .deb files.
 * @throws when apt is missing, the download fails or the disk is full.
 */
export async function downloadPackages(
  folder: string,
  { pattern, choose, release = 'sid' }: { pattern: string; choose: (names: string[]) => string[]; release?: string },
  onProgress: (text: string) => void,
): Promise<{ files: string[]; megabytes: number }> {
  const options = prepare(folder, release);
  const archives = path.join(folder, 'cache/archives');
  await apt([...options, 'update']).catch((error) => {
    throw new Error(`the lists of Debian's packages cannot be fetched: ${error.message}`);
  });
  const packages = choose(readNames(await apt([...options, 'search', '--names-only', pattern], 'apt-cache')));
  const plan = parsePlan(await apt([...options, '--print-uris', '--yes', 'install', ...packages]));
  const before = megabytesIn(archives);
  const timer = setInterval(() => onProgress(`${megabytesIn(archives) - before} of ${plan.megabytes} MB`), 1000);
  try {
    await apt([...options, '--download-only', '--yes', 'install', ...packages]);
  } finally {
    clearInterval(timer);
  }
  const names = fs.readdirSync(archives).filter((name) => name.endsWith('.deb'));
  return { files: names.map((name) => path.join(archives, name)), megabytes: megabytesIn(archives) };
}

/** @param output - lines of `apt-cache search`: a name, a dash and a description. */
export const readNames = (output: string): string[] =>
  output.split('\n').flatMap((line) => /^(\S+) - /.exec(line)?.[1] ?? []);

/**
 * @param output - lines of `apt-get --print-uris`: address, file, bytes and checksum, among others.
 * @returns the packages that are still to be downloaded.
 */
export function parsePlan(output: string): { packages: number; megabytes: number } {
  const sizes = output
    .split('\n')
    .filter((line) => line.startsWith("'"))
    .map((line) => Number(line.split(' ')[2]));
  return { packages: sizes.length, megabytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e6) };
}

function prepare(folder: string, release: string) {
  for (const each of ['state/lists/partial', 'cache/archives/partial'])
    fs.mkdirSync(path.join(folder, each), { recursive: true });
  fs.writeFileSync(path.join(folder, 'status'), '');
  fs.writeFileSync(path.join(folder, 'sources.list'), aptSource(release));
  const settings = {
    'Dir::State': path.join(folder, 'state'),
    'Dir::State::status': path.join(folder, 'status'),
    'Dir::Cache': path.join(folder, 'cache'),
    'Dir::Etc::sourcelist': path.join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'APT::Install-Recommends': '0',
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

function apt(args: string[], program = 'apt-get') {
  return runCommand(program, args, {
    missing: NO_APT,
    env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function megabytesIn(archives: string) {
  const folders = [archives, path.join(archives, 'partial')];
  const files = folders.flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)));
  return Math.round(
    files.reduce((sum, file) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0) / 1e6,
  );
}
