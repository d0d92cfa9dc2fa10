import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../system/paths.mjs';
import { compile } from './build.ts';
import { SERVICES } from './product-processes.ts';

const PROCESSES: string[] = [...SERVICES, 'gateway'];
const DEBOUNCE_MS = 100;

export interface DevArguments {
  /** The processes to restart on save: all when SERVICE is absent. */
  names: string[];
  flags: string[];
}

/**
 * Reads the arguments of `npm run dev`: `[SERVICE] [--inspect[=[HOST:]PORT]]`.
 * @throws a sentence about what is wrong.
 */
export function readDevArguments(args: string[]): DevArguments {
  const inspect = args.filter((word) => /^--inspect(-brk)?(=|$)/.test(word));
  const [name, ...more] = args.filter((word) => !inspect.includes(word));
  if (more.length > 0 || (name !== undefined && !PROCESSES.includes(name)))
    throw new Error(`usage: npm run dev -- [${PROCESSES.join(' | ')}] [--inspect[=PORT]]`);
  if (inspect.length > 0 && name === undefined) throw new Error('--inspect needs the name of one service');
  return { names: name === undefined ? PROCESSES : [name], flags: inspect };
}

export interface RestartOnSaveOptions {
  names: string[];
  /** Resolves when the process is ready again. */
  restart: (name: string) => Promise<void>;
  log: (line: string) => void;
}

/**
 * Rebuilds and restarts processes whenever one of their sources, or one of a library, is saved.
 * @returns stops watching.
 */
export function restartOnSave({ names, restart, log }: RestartOnSaveOptions): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const note = (folder: string, file: string | null) => {
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
      await compile();
      await Promise.all(affected.map(restart));
      log(`${affected.join(', ')} restarted (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      log((error as Error).message);
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
 * @param onChange - receives the name of a file that was written, replaced or removed.
 * @returns stops watching.
 */
export function watchTree(root: string, onChange: (file: string) => void): () => void {
  const watchers = new Map<string, fs.FSWatcher>();
  const add = (folder: string) => {
    watchers.get(folder)?.close();
    const watcher = fs.watch(folder, (_, name) => changed(folder, name));
    // A folder may be removed while it is watched.
    watcher.on('error', () => watcher.close());
    watchers.set(folder, watcher);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) add(path.join(folder, entry.name));
    }
  };
  const changed = (folder: string, name: string | null) => {
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
 * @param folders - the changed packages, relative to the root of the clone.
 * @param names - the watched processes.
 * @returns the processes that run code of the packages: all of them when a library changed.
 */
export function processesOf(folders: string[], names: string[]): string[] {
  if (folders.some((folder) => folder.startsWith('libs/'))) return names;
  return names.filter((name) => folders.includes(folderOf(name)));
}

const folderOf = (name: string) => (name === 'gateway' ? name : `services/${name}`);

function sourceFolders(names: string[]) {
  const libs = fs.readdirSync(path.join(ROOT, 'libs')).map((name) => `libs/${name}`);
  return [...libs, ...names.map(folderOf)];
}
