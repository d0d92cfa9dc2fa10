import crypto from 'node:crypto';
import { readJson, writeJson } from './json-file.mjs';

const NAMES = ['KEY_PEPPER', 'DATA_KEY', 'CURSOR_SECRET'];

/**
 * The secrets of a local stack: made once, kept as long as its data, which cannot be read without them.
 * @param {string} file where they are kept, readable by their owner only.
 * @returns {Record<string, string>} 32 random bytes each, in base64; one that the environment sets is taken from there.
 */
export function loadSecrets(file) {
  const kept = readJson(file) ?? {};
  const all = Object.fromEntries(NAMES.map((name) => [name, kept[name] ?? crypto.randomBytes(32).toString('base64')]));
  if (NAMES.some((name) => !kept[name])) writeJson(file, all, 0o600);
  return Object.fromEntries(NAMES.map((name) => [name, process.env[name] || all[name]]));
}
