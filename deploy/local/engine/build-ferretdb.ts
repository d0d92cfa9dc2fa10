import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../system/run-command.mjs';
import { type EnginePaths, FERRETDB_VERSION } from './engine-paths.ts';

const MODULE = `github.com/FerretDB/FerretDB/v2/cmd/ferretdb@v${FERRETDB_VERSION}`;
/** Major and minor version of the oldest Go that can build FerretDB. */
export const OLDEST_GO = [1, 25] as const;

/**
 * @param text - what `go version` prints.
 * @returns whether that Go can build FerretDB.
 */
export function isGoRecent(text: string): boolean {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > OLDEST_GO[0] || (Number(major) === OLDEST_GO[0] && Number(minor) >= OLDEST_GO[1]);
}

/** @returns whether the machine has a Go that can build FerretDB. */
export function hasGo(): boolean {
  try {
    return isGoRecent(execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return false;
  }
}

/**
 * Builds FerretDB from its sources, as its makers released them.
 * @param paths - as `enginePaths` answers them; what Go downloads is kept below `downloads`.
 * @param goRoot - a Go that came with the packages; without it the one on PATH is used.
 * @throws when the download fails, the disk is full or the build fails.
 */
export async function buildFerretdb(paths: EnginePaths, goRoot?: string) {
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
