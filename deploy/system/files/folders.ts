import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PRODUCT } from '../paths.mjs';
import { canReach, type DatabaseUser, giveTo } from './unprivileged-user.ts';

/** @returns the folder for downloads that all clones share, below `$XDG_CACHE_HOME` or `~/.cache`. */
export const cacheFolder = (): string => path.join(ownCache(), PRODUCT);

const ownCache = () => process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');

/**
 * Where the engine is kept: with the other downloads (`cacheFolder`). Under root the database runs as another user,
 * who must be able to read it; where he cannot walk there (/root closed), /var/cache and then the folder for temporary files
 * take its place.
 * @param version - part of the folder's name, so that a new engine never mixes with an old one.
 * @param user - whom the database runs as; null for ourselves.
 * @returns absolute, not necessarily there yet.
 */
export function engineFolder(version: string, user: DatabaseUser | null): string {
  const bases = user ? [ownCache(), '/var/cache', os.tmpdir(), '/tmp'] : [ownCache()];
  const base = bases.find((each) => canReach(each, user)) ?? '/tmp';
  return path.join(base, PRODUCT, `engine-${version}`);
}

/**
 * Makes a data folder that the database's user owns and can reach. A clone that he cannot walk to (it lies below /root, or
 * below a folder of mode 700) keeps its data under /var/lib instead, and a link to there in the folder's place.
 * @param folder - absolute.
 * @param user - whom the database runs as; null for ourselves.
 * @returns the folder to give to the database.
 */
export function dataFolder(folder: string, user: DatabaseUser | null): string {
  if (fs.existsSync(folder)) return fs.realpathSync(folder);
  fs.rmSync(folder, { force: true });
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  if (canReach(folder, user)) {
    fs.mkdirSync(folder, { mode: 0o700 });
    giveTo(folder, user);
    return fs.realpathSync(folder);
  }
  const elsewhere = path.join('/var/lib', PRODUCT, `${path.basename(folder)}-${crypto.randomBytes(6).toString('hex')}`);
  fs.mkdirSync(path.dirname(elsewhere), { recursive: true, mode: 0o755 });
  fs.mkdirSync(elsewhere, { mode: 0o700 });
  giveTo(elsewhere, user);
  fs.symlinkSync(elsewhere, folder);
  return elsewhere;
}
