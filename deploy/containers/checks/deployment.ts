import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../system/paths.mjs';
import type { Docker } from '../engine/docker.ts';

/** The longest time of a command; the build of all images is the longest one. */
const LONGEST = '2400';
/** The limits of requests would stop a load; everything else is as the files have it. */
const SETTINGS = { RATE_LIMIT_PER_HOUR: '100000000', RATE_LIMIT_PER_MINUTE: '1000000' };
/** What the images of a commit are built from, besides the files of `deploy`. */
const PRODUCT = ['libs', 'services', 'gateway', 'bench', 'package.json', 'package-lock.json'];

export const SERVICES = ['people', 'scheduling', 'booking', 'payment', 'notification'];

/** A clone in a folder of its own, from which the product is run as an operator runs it. */
export interface Deployment {
  folder: string;
  origin: string;
  /** Runs `docker` in the clone. */
  docker: (...words: string[]) => Promise<string>;
  /** Runs a program in a container of a service; returns what it printed. */
  exec: (service: string, ...words: string[]) => Promise<string>;
  /** Runs a line of a shell in the clone. */
  sh: (line: string) => Promise<string>;
  /** Replaces what `.env` sets beside the limits of requests. */
  set: (settings: Record<string, string>) => void;
  /** Writes a file of the clone. */
  write: (file: string, text: string) => void;
  /** Removes all containers and volumes, and starts the product from nothing. */
  startAnew: (words?: string) => Promise<void>;
  /** Takes libraries, services and gateway from a commit; without one, as this clone has them. */
  checkOut: (commit?: string) => void;
  /** Removes the containers, their volumes and the clone. */
  remove: () => Promise<void>;
}

/** Copies what this clone tracks. */
export function layOut(docker: Docker, folder: string): Deployment {
  fs.rmSync(folder, { recursive: true, force: true });
  copyTracked(folder);
  const run: Deployment['docker'] = (...words) => docker.run(words, { cwd: folder });
  const sh: Deployment['sh'] = (line) => docker.program('timeout', [LONGEST, 'sh', '-ec', line], { cwd: folder });
  const down = () => run('compose', 'down', '--volumes', '--remove-orphans', '--timeout', '5');
  const write: Deployment['write'] = (file, text) => fs.writeFileSync(path.join(folder, file), text);
  const set: Deployment['set'] = (settings) => {
    const lines = Object.entries({ ...SETTINGS, ...settings }).map(([name, value]) => `${name}=${value}\n`);
    write('.env', lines.join(''));
  };
  set({});
  return {
    folder,
    origin: 'http://127.0.0.1:8080',
    docker: run,
    exec: (service, ...words) => run('compose', 'exec', '-T', service, ...words),
    sh,
    set,
    write,
    async startAnew(words = '') {
      await down();
      await sh(`docker compose up --wait ${words}`);
    },
    checkOut: (commit) => checkOut(folder, commit),
    async remove() {
      await down().catch(() => {});
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function checkOut(folder: string, commit?: string) {
  for (const each of PRODUCT) fs.rmSync(path.join(folder, each), { recursive: true, force: true });
  if (commit === undefined) return copyTracked(folder, PRODUCT);
  const input = execFileSync('git', ['archive', commit, ...PRODUCT], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input });
}

function copyTracked(folder: string, paths: string[] = []) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths];
  const tracked = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  for (const file of tracked.split('\0').filter((each) => each && fs.existsSync(path.join(ROOT, each))))
    fs.cpSync(path.join(ROOT, file), path.join(folder, file), { preserveTimestamps: true });
}
