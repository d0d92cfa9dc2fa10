import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/**
 * @returns {string} the Node that the product runs on, which comes with its packages; ours where they are not installed.
 */
export function nodeProgram() {
  const installed = path.join(ROOT, 'node_modules/node/bin/node');
  return fs.existsSync(installed) ? installed : process.execPath;
}

/**
 * @returns {string} PATH with the programs of the installed packages first, `node` among them.
 */
export function pathWithPackages() {
  return [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].filter(Boolean).join(path.delimiter);
}
