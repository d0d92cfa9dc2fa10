import fs from 'node:fs';

/**
 * @param {string} folder that is going to be written to, already there.
 * @param {number} megabytes that are needed.
 * @param {string} purpose what for, to be put after "is needed for".
 * @throws {Error} when less is free.
 */
export function checkDisk(folder, megabytes, purpose) {
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free >= megabytes) return;
  throw new Error(
    `The disk is nearly full: ${free} MB are free at ${folder}, ${megabytes} MB are needed for ${purpose}.`,
  );
}
