import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TemporaryFolder, temporaryFolder } from '../system/files/temporary-folder.ts';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { waitUntil } from '../system/processes/ports.ts';
import { isRunning, processIdentity } from '../system/processes/process-identity.mjs';

const WITHIN_MS = 60_000;
const LIBRARY = new URL('product-node.mjs', import.meta.url).href;

/** The program prints its Node and its pid, and ends by the signals that it receives. */
const PROGRAM = `console.log(JSON.stringify({ node: process.execPath, pid: process.pid, words: process.argv.slice(2) }));
const timer = setInterval(() => {}, 1000);
process.on('SIGINT', () => { console.log('interrupted'); clearInterval(timer); process.exit(7); });
process.once('disconnect', () => process.exit(1));`;

let made: TemporaryFolder;
beforeAll(() => {
  made = temporaryFolder();
  fs.writeFileSync(path.join(made.folder, 'program.mjs'), PROGRAM);
});
afterAll(() => made.remove());

async function start(...words: string[]) {
  const file = JSON.stringify(path.join(made.folder, 'program.mjs'));
  const script = `const { runOnProductNode } = await import(${JSON.stringify(LIBRARY)});
process.exit(await runOnProductNode(${file}, ${JSON.stringify(words)}));`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running = { parent, printed: '', exited: once(parent, 'close') };
  parent.stdout.on('data', (bytes) => (running.printed += bytes));
  await waitUntil(
    async () => running.printed.includes('\n'),
    WITHIN_MS,
    () => parent.exitCode !== null,
  );
  return { ...running, started: JSON.parse(running.printed), output: () => running.printed };
}

describe('a program on the Node of the product', () => {
  it('gets its arguments and the signals of its parent, which ends with its exit code', async () => {
    const { parent, started, exited, output } = await start('test', '--a');
    expect(started).toMatchObject({ node: fs.realpathSync(nodeProgram()), words: ['test', '--a'] });
    parent.kill('SIGINT');
    expect(await exited).toEqual([7, null]);
    expect(output()).toContain('interrupted');
  });

  it('that is killed by a signal gives its parent the exit code of a shell', async () => {
    const { started, exited } = await start();
    process.kill(started.pid, 'SIGKILL');
    expect(await exited).toEqual([137, null]);
  });

  it('learns that its parent was killed', async () => {
    const { parent, started, exited } = await start();
    const identity = processIdentity(started.pid);
    parent.kill('SIGKILL');
    await exited;
    expect(await waitUntil(async () => !isRunning(identity), WITHIN_MS)).toBe(true);
  });
});
