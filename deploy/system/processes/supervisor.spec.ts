import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from './ports.ts';
import type { ProcessDescription } from './supervised-process.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

let folder: string;
let logged: string[];
let supervisor: Supervisor;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'supervisor-'));
  logged = [];
  supervisor = createSupervisor({ logFolder: folder, log: (line) => logged.push(line), env: { FROM_US: 'yes' } });
});
afterEach(async () => {
  await supervisor.stop();
  fs.rmSync(folder, { recursive: true });
});

const shell = (name: string, script: string, more: Partial<ProcessDescription> = {}): ProcessDescription => ({
  name,
  command: 'sh',
  args: ['-c', script],
  ...more,
});
const pidOf = (name: string) => supervisor.processes().find((each) => each.name === name)?.pid;

it('starts a killed process again', async () => {
  await supervisor.launch(shell('a', 'exec sleep 60'));
  const first = pidOf('a');
  process.kill(first!, 'SIGKILL');
  expect(await waitUntil(async () => ![undefined, first].includes(pidOf('a')), 20_000)).toBe(true);
  expect(logged).toEqual([expect.stringContaining('a was ended by SIGKILL; it starts again in 100 ms')]);
});

it('gives a process its environment, and its output a log; the log of the run before is kept', async () => {
  const log = path.join(folder, 'a.log');
  fs.writeFileSync(log, 'the run before');
  const isReady = async () => fs.readFileSync(log, 'utf8').includes('yes mine');
  await supervisor.launch(shell('a', 'echo $FROM_US $OWN; exec sleep 60', { env: { OWN: 'mine' }, isReady }));
  expect(fs.readFileSync(`${log}.1`, 'utf8')).toBe('the run before');
});

it('rejects when a process never gets ready, with its last output', async () => {
  const launched = supervisor.launch(shell('a', 'echo the config is wrong; exit 78', { isReady: async () => false }));
  await expect(launched).rejects.toThrow(/a ended 5 times.*a\.log:\n(the config is wrong\n?)+/s);
  expect(supervisor.processes()).toEqual([]);
});

it('rejects when there is no such program', async () => {
  const launched = supervisor.launch({ name: 'a', command: '/no/such/program', isReady: async () => true });
  await expect(launched).rejects.toThrow('ENOENT');
});

it('kills a process that ignores the signal', async () => {
  const isReady = async () => fs.readFileSync(path.join(folder, 'a.log'), 'utf8') === 'deaf\n';
  await supervisor.launch(
    shell('a', `trap '' TERM; echo deaf; while :; do sleep 1; done`, { isReady, stopWithinMs: 200 }),
  );
  await supervisor.stop(['a']);
  expect(supervisor.processes()).toEqual([]);
});

it('stops the latest first, and starts nothing once it is closed', async () => {
  const order = path.join(folder, 'order');
  for (const name of ['a', 'b']) {
    const isReady = async () => fs.readFileSync(path.join(folder, `${name}.log`), 'utf8') === 'up\n';
    const script = `trap 'echo ${name} >> ${order}; exit' TERM; echo up; while :; do sleep 0.05; done`;
    await supervisor.launch(shell(name, script, { isReady }));
  }
  supervisor.close();
  await supervisor.stop();
  expect(fs.readFileSync(order, 'utf8')).toBe('b\na\n');
  await expect(supervisor.launch(shell('c', 'true'))).rejects.toThrow('being stopped');
});
