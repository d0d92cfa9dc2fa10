import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from './temporary-folder.ts';

const MODULE = path.join(import.meta.dirname, 'temporary-folder.ts');

let base: string;
let formerTmpdir: string | undefined;
beforeEach(() => {
  base = fs.mkdtempSync('/tmp/temporary-folder-');
  fs.chmodSync(base, 0o711);
  formerTmpdir = process.env.TMPDIR;
  process.env.TMPDIR = base;
});
afterEach(() => {
  if (formerTmpdir === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = formerTmpdir;
  fs.rmSync(base, { recursive: true });
});

/** Runs statements in a separate process that can call `temporaryFolder`. */
async function runInProcess(statements: string) {
  const text = `import { temporaryFolder } from ${JSON.stringify(MODULE)};\n${statements}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code, signal] = await once(child, 'close');
  return { ended: code ?? signal, errors };
}

it('is made and removed by several processes at a time', async () => {
  const loop = 'for (let i = 0; i < 200; i++) temporaryFolder().remove();';
  const runs = await Promise.all([loop, loop, loop].map(runInProcess));
  expect(runs).toEqual(runs.map(() => ({ ended: 0, errors: '' })));
  expect(fs.readdirSync(base)).toEqual([]);
});

it('removes the folder of a killed run, and keeps one in use', async () => {
  const mine = temporaryFolder();
  expect(await runInProcess("temporaryFolder(); process.kill(process.pid, 'SIGKILL');")).toMatchObject({
    ended: 'SIGKILL',
  });
  expect(fs.readdirSync(base)).toHaveLength(2);
  const next = temporaryFolder();
  expect(fs.readdirSync(base).sort()).toEqual([mine, next].map(({ folder }) => path.basename(folder)).sort());
});

it('removes again what a killed run had not finished to remove', () => {
  const { folder } = temporaryFolder();
  const removed = `${folder}.removed`;
  fs.renameSync(folder, removed);
  temporaryFolder();
  expect(fs.existsSync(removed)).toBe(true);
  const later = Date.now() + 120_000;
  const now = Date.now;
  Date.now = () => later;
  try {
    temporaryFolder();
  } finally {
    Date.now = now;
  }
  expect(fs.existsSync(removed)).toBe(false);
});
