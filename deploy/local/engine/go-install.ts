import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../system/processes/run-command.mjs';

/** Major and minor version of the oldest Go that can build what we take from sources. */
export const OLDEST_GO = [1, 25] as const;

/**
 * @param text - the output of `go version`.
 * @returns whether that Go is recent enough.
 */
export function isGoRecent(text: string): boolean {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > OLDEST_GO[0] || (Number(major) === OLDEST_GO[0] && Number(minor) >= OLDEST_GO[1]);
}

export function hasGo(): boolean {
  try {
    return isGoRecent(execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return false;
  }
}

/** The folders for programs, and for the files that Go downloads and compiles. */
export interface GoFolders {
  bin: string;
  downloads: string;
}

/** The environment of a build that keeps what it downloads and compiles in a folder. */
export const goEnvironment = (downloads: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: '0',
  GOCACHE: path.join(downloads, 'go-build'),
  GOPATH: path.join(downloads, 'go'),
  GOTOOLCHAIN: 'local',
  GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw -buildvcs=false`.trim(),
});

/**
 * Builds a program from its released sources.
 * @param module - `example.com/program@v1.2.3`.
 * @param goRoot - a Go from the packages; by default the one on PATH.
 * @throws when the download fails, the disk is full or the build fails.
 */
export async function goInstall(module: string, { bin, downloads }: GoFolders, goRoot?: string) {
  fs.mkdirSync(bin, { recursive: true });
  const env = { ...goEnvironment(downloads), GOBIN: bin, ...(goRoot && { GOROOT: goRoot }) };
  await runCommand(goRoot ? path.join(goRoot, 'bin/go') : 'go', ['install', '-trimpath', '-ldflags=-s -w', module], {
    env,
  });
}
