import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../system/paths.mjs';
import type { Docker } from '../engine/docker.ts';

/** The longest time of a command; the build of all images is the longest one. */
const LONGEST = '900';
/** The limits of requests would stop a load; everything else is as the files have it. */
const SETTINGS = { RATE_LIMIT_PER_HOUR: '100000000', RATE_LIMIT_PER_MINUTE: '1000000' };

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
  /** Removes the containers, their volumes and the clone. */
  remove: () => Promise<void>;
}

/** Copies what this clone tracks. */
export function layOut(docker: Docker, folder: string): Deployment {
  fs.rmSync(folder, { recursive: true, force: true });
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of tracked.split('\0').filter((each) => each && fs.existsSync(path.join(ROOT, each))))
    fs.cpSync(path.join(ROOT, file), path.join(folder, file), { preserveTimestamps: true });
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}\n`);
  fs.writeFileSync(path.join(folder, '.env'), lines.join(''));
  const run: Deployment['docker'] = (...words) => docker.run(words, { cwd: folder });
  return {
    folder,
    origin: 'http://127.0.0.1:8080',
    docker: run,
    exec: (service, ...words) => run('compose', 'exec', '-T', service, ...words),
    sh: (line) => docker.program('timeout', [LONGEST, 'sh', '-ec', line], { cwd: folder }),
    async remove() {
      await run('compose', 'down', '--volumes', '--timeout', '5').catch(() => {});
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
