import fs from 'node:fs';
import path from 'node:path';

/**
 * @param {string} name of a program.
 * @param {string} [searched] folders in the form of PATH.
 * @returns {string|null} the absolute path of the first executable file of that name.
 */
export function findOnPath(name, searched = process.env.PATH ?? '') {
  const folders = searched.split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.resolve(folder, name)).find(isExecutable) ?? null;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
