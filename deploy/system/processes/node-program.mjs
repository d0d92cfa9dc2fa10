import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../paths.mjs';

/** The major version of Node that the product runs on; `.nvmrc` and the images name the whole version. */
export const PRODUCT_MAJOR = 24;

/** The oldest edition of the time zone database that is right: Node brings it, and lessons are booked by its local times. */
const TIME_ZONES = '2026e';

/**
 * @param {string | undefined} edition that of a Node, `process.versions.tz`.
 * @returns {string[]} a sentence where it is too old.
 */
export function findTimeZoneOffences(edition) {
  if (edition && edition >= TIME_ZONES) return [];
  return [
    `This Node has the time zones of ${edition}, which are wrong by now; those of ${TIME_ZONES} or later are needed. ` +
      'Take a later Node: docs/how-to/update-dependencies.md.',
  ];
}

/**
 * @returns {string} the Node that the product runs on: the one that package-lock.json names for this platform, else the one
 *   that runs this script.
 * @throws {Error} when that one is too old.
 */
export function nodeProgram() {
  return chooseNode({ root: ROOT, platform: `${process.platform}-${process.arch}`, own: process });
}

/**
 * @param {object} options
 * @param {string} options.root the folder that has the `node_modules`.
 * @param {string} options.platform operating system and processor, such as `linux-x64`.
 * @param {{execPath: string, version: string}} options.own the Node to take where no package has one for the platform.
 * @returns {string} the program.
 * @throws {Error} that says which Node to install.
 */
export function chooseNode({ root, platform, own }) {
  const installed = path.join(root, 'node_modules', `node-${platform}`, 'bin/node');
  if (fs.existsSync(installed)) return installed;
  if (Number(/^v(\d+)/.exec(own.version)?.[1]) >= PRODUCT_MAJOR) return own.execPath;
  throw new Error(
    `The product runs on Node.js ${PRODUCT_MAJOR}; package-lock.json has none for ${platform}, and this is ${own.version}. ` +
      `Install Node.js ${PRODUCT_MAJOR} (https://nodejs.org) and run the command again with it.`,
  );
}

/**
 * @returns {string} PATH with the programs of the installed packages first, `node` among them.
 */
export function pathWithPackages() {
  return [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
}
