import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../system/run-command.mjs';
import { FERRETDB_VERSION } from './engine-paths.mjs';

const MODULE = `github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v${FERRETDB_VERSION}`;
/** Major and minor version of the oldest Go that can build FerretDB. */
export const OLDEST_GO = [1, 25];

/**
 * @param {string} text what `go version` prints.
 * @returns {boolean} whether that Go can build FerretDB.
 */
export function isGoRecent(text) {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > OLDEST_GO[0] || (Number(major) === OLDEST_GO[0] && Number(minor) >= OLDEST_GO[1]);
}

/**
 * @returns {boolean} whether the machine has a Go that can build FerretDB.
 */
export function hasGo() {
  try {
    return isGoRecent(execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return false;
  }
}

/**
 * Builds FerretDB from its sources, as its makers released them.
 * @param {Record<string, string>} paths as `enginePaths` answers them; what Go downloads is kept below `downloads`.
 * @param {string} [goRoot] a Go that came with the packages; without it the one on PATH is used.
 * @throws {Error} when the download fails, the disk is full or the build fails.
 */
export async function buildFerretdb(paths, goRoot) {
  fs.mkdirSync(paths.bin, { recursive: true });
  const env = {
    ...process.env,
    CGO_ENABLED: '0',
    GOBIN: paths.bin,
    GOCACHE: path.join(paths.downloads, 'go-build'),
    GOPATH: path.join(paths.downloads, 'go'),
    GOTOOLCHAIN: 'local',
    GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
    ...(goRoot && { GOROOT: goRoot }),
  };
  await runCommand(goRoot ? path.join(goRoot, 'bin/go') : 'go', ['install', '-trimpath', '-ldflags=-s -w', MODULE], {
    env,
  });
}
