import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../system/files/folders.ts';
import { runCommand } from '../system/processes/run-command.mjs';

const VERSION = '2.14.0';
const RELEASES = 'https://github.com/nats-io/nats-server/releases/download';
const WITHIN_MS = 300_000;

/** SHA-256 of the archives of that release, by Node's names of platform and processor. */
const CHECKSUMS: Record<string, string> = {
  'darwin-arm64': '36f28cf166e5ae5dd88d700a609c810b97ffad641e0c51b49cf8fae25fb3fac7',
  'darwin-x64': 'c307afaa5810dea24bfe5bb0cd895ddc7c47946f359823336ef3be1a41bdddfa',
  'linux-arm64': 'ce7dc5f7d97b70dabc38b13157fed28d7d06227860676143c15c62c5c297996c',
  'linux-x64': '3d8b74dfad39af184c765a6dd120441ed1c648d6672eddf6b304f222661251b8',
};

export interface NatsRelease {
  url: string;
  sha256: string;
  program: string;
  version: string;
}

/**
 * Describes the official program of NATS for a platform.
 * @param platform - such as `darwin-arm64`.
 * @returns null where there is none.
 */
export function natsRelease(platform: string): NatsRelease | null {
  const sha256 = CHECKSUMS[platform];
  if (!sha256) return null;
  const archive = `nats-server-v${VERSION}-${platform.replace('x64', 'amd64')}.tar.gz`;
  const program = path.join(cacheFolder(), `nats-server-${VERSION}-${platform}`, 'nats-server');
  return { url: `${RELEASES}/v${VERSION}/${archive}`, sha256, program, version: VERSION };
}

/**
 * Downloads a release and unpacks its program, unless the program is there already.
 * @throws when the download fails, or the archive has another checksum; nothing is kept then.
 */
export async function downloadNats(
  { url, sha256, program }: Omit<NatsRelease, 'version'>,
  log: (line: string) => void,
) {
  if (fs.existsSync(program)) return;
  log(`nats: downloading ${url} …`);
  const bytes = await download(url);
  const found = crypto.createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${url} has the checksum ${found} instead of ${sha256}`);
  const folder = path.dirname(program);
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const unpacked = fs.mkdtempSync(`${folder}-`);
  try {
    fs.writeFileSync(path.join(unpacked, 'archive'), bytes);
    await runCommand('tar', ['-xzf', 'archive', '--strip-components=1'], { cwd: unpacked });
    fs.mkdirSync(folder, { recursive: true });
    // The rename is last and atomic, so an existing file is complete.
    fs.renameSync(path.join(unpacked, path.basename(program)), program);
  } finally {
    fs.rmSync(unpacked, { recursive: true, force: true });
  }
}

async function download(url: string) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) }).catch((error) => {
    throw new Error(`${url} cannot be downloaded: ${error.cause?.message ?? error.message}`);
  });
  if (!answer.ok) throw new Error(`${url} cannot be downloaded: HTTP ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}
