import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes a JSON file so that a reader sees the old content or the new one, never a part.
 * @param file - an absolute path; its folder is made.
 * @param mode - the permissions of the file.
 */
export function writeJson(file: string, value: unknown, mode: number = 0o644) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode });
  fs.renameSync(unfinished, file);
}

/**
 * @returns the content; null when there is no such file.
 * @throws SyntaxError when the file is not JSON.
 */
export function readJson(file: string): unknown {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
}
