import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../system/paths.mjs';
import { build } from './build.mjs';
import { SERVICES } from './product-processes.mjs';

const PROCESSES = [...SERVICES, 'gateway'];
const DEBOUNCE_MS = 100;

/**
 * Reads the arguments of `npm run dev`: `[SERVICE] [--inspect[=[HOST:]PORT]]`.
 * @param {string[]} args
 * @returns {{names: string[], flags: string[]}} the processes to restart on save (all without SERVICE), and the Node flags of
 *   SERVICE.
 * @throws {Error} a sentence about what is wrong.
 */
export function readDevArguments(args) {
  const inspect = args.filter((word) => /^--inspect(-brk)?(=|$)/.test(word));
  const [name, ...more] = args.filter((word) => !inspect.includes(word));
  if (more.length > 0 || (name !== undefined && !PROCESSES.includes(name)))
    throw new Error(`usage: npm run dev -- [${PROCESSES.join(' | ')}] [--inspect[=PORT]]`);
  if (inspect.length > 0 && name === undefined) throw new Error('--inspect needs the name of one service');
  return { names: name === undefined ? PROCESSES : [name], flags: inspect };
}

/**
 * Rebuilds and restarts processes whenever one of their sources, or one of a library, is saved.
 * @param {object} options
 * @param {string[]} options.names of the processes.
 * @param {(name: string) => Promise<void>} options.restart ends when the process is ready again.
 * @param {(line: string) => void} options.log
 * @returns {() => void} stops watching.
 */
export function restartOnSave({ names, restart, log }) {
  const changed = new Set();
  let timer;
  let running = Promise.resolve();
  const note = (folder, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.spec.ts')) return;
    changed.add(folder);
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(apply)), DEBOUNCE_MS);
  };

  async function apply() {
    const affected = processesOf([...changed], names);
    changed.clear();
    const startedAt = performance.now();
    try {
      await build(() => {});
      await Promise.all(affected.map(restart));
      log(`${affected.join(', ')} restarted (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      log(error.message);
    }
  }

  const ends = sourceFolders(names).map((folder) =>
    watchTree(path.join(ROOT, folder, 'src'), (file) => note(folder, file)),
  );
  return () => {
    clearTimeout(timer);
    for (const end of ends) end();
  };
}

/**
 * Watches a folder and all folders below it, each by itself: on Linux a recursive `fs.watch` loses a file for good once an
 * editor has replaced it instead of writing into it.
 * @param {string} root
 * @param {(file: string) => void} onChange receives the name of a file that was written, replaced or removed.
 * @returns {() => void} stops watching.
 */
export function watchTree(root, onChange) {
  const watchers = new Map();
  const add = (folder) => {
    watchers.get(folder)?.close();
    const watcher = fs.watch(folder, (_, name) => changed(folder, name));
    // A folder may be removed while it is watched.
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) add(path.join(folder, entry.name));
    }
  };
  const changed = (folder, name) => {
    if (!name) return;
    onChange(name);
    const entry = path.join(folder, name);
    if (!fs.statSync(entry, { throwIfNoEntry: false })?.isDirectory()) return;
    add(entry);
    // Files that were written before the watch began.
    for (const file of fs.readdirSync(entry, { recursive: true })) onChange(path.basename(String(file)));
  };
  add(root);
  return () => {
    for (const watcher of watchers.values()) watcher.close();
  };
}

/**
 * @param {string[]} folders packages that changed, from the root of the clone.
 * @param {string[]} names the processes that are watched.
 * @returns {string[]} those of them that run code of the packages: all of them when a library changed.
 */
export function processesOf(folders, names) {
  if (folders.some((folder) => folder.startsWith('libs/'))) return names;
  return names.filter((name) => folders.includes(folderOf(name)));
}

const folderOf = (name) => (name === 'gateway' ? name : `services/${name}`);

function sourceFolders(names) {
  const libs = fs.readdirSync(path.join(ROOT, 'libs')).map((name) => `libs/${name}`);
  return [...libs, ...names.map(folderOf)];
}
