import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { pathWithPackages } from './node-program.mjs';
import { LOCAL, ROOT } from './paths.mjs';
import { tellProgress } from './progress.mjs';
import { runCommand } from './run-command.mjs';

const STAMP = path.join(LOCAL, 'built.json');
const SOURCES = ['libs', 'services', 'gateway', 'package-lock.json', 'tsconfig.base.json', 'turbo.json'];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'coverage', '.turbo']);

/**
 * Builds all packages, unless nothing has changed since the last time.
 * @param {(line: string) => void} log
 * @throws {Error} with what the compiler says.
 */
export async function build(log) {
  const stamp = { sources: fingerprint(SOURCES.map((name) => path.join(ROOT, name))) };
  if (readJson(STAMP)?.sources === stamp.sources && isEverythingBuilt()) return;
  await tellProgress(log, 'build: compiling what has changed', compile);
  writeJson(STAMP, stamp);
}

async function compile() {
  await runCommand(path.join(ROOT, 'node_modules/.bin/turbo'), ['run', 'build', '--output-logs=errors-only'], {
    cwd: ROOT,
    shownLines: 60,
    env: { ...process.env, PATH: pathWithPackages(), TURBO_TELEMETRY_DISABLED: '1' },
  });
  return 'done';
}

/**
 * @param {string[]} entries files and folders, absolute.
 * @returns {string} changes whenever a file below them appears, goes or is written.
 */
export function fingerprint(entries) {
  const hash = crypto.createHash('sha256');
  const visit = (entry) => {
    const stat = fs.statSync(entry, { throwIfNoEntry: false });
    if (!stat || NOT_SOURCES.has(path.basename(entry))) return;
    if (stat.isDirectory())
      fs.readdirSync(entry)
        .sort()
        .forEach((name) => visit(path.join(entry, name)));
    else hash.update(`${entry} ${stat.size} ${stat.mtimeMs}\n`);
  };
  entries.forEach(visit);
  return hash.digest('hex');
}

function isEverythingBuilt() {
  const packages = ['libs', 'services'].flatMap((group) =>
    fs.readdirSync(path.join(ROOT, group)).map((name) => path.join(group, name)),
  );
  const built = [...packages, 'gateway'].filter(
    (name) => readJson(path.join(ROOT, name, 'package.json'))?.scripts?.build,
  );
  return built.every((name) => fs.existsSync(path.join(ROOT, name, 'dist')));
}
