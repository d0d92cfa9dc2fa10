import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { processIdentity } from '../processes/process-identity.mjs';
import { evaluateLock, tryLock, waitForLock } from './file-lock.mjs';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'file-lock-'));
  file = path.join(folder, 'deep', 'a.lock');
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function take(name: string) {
  const lock = tryLock(name);
  if ('heldBy' in lock) throw new Error(`${name} is held by ${lock.heldBy}`);
  return lock;
}

describe('evaluateLock', () => {
  const textOf = (owner: string | null) => JSON.stringify({ owner, pid: 12 });

  it('holds while its owner runs', () =>
    expect(evaluateLock(textOf(processIdentity(process.pid)), 99_999)).toBe('held'));
  it('is stale once its owner has ended', () => expect(evaluateLock(textOf('12@345'), 0)).toBe('stale'));
  it('holds while nobody can see whether its owner runs', () =>
    expect(evaluateLock(textOf('12@345@pid:[1]'), 99_999)).toBe('held'));
  it('holds while it is being written', () => expect(evaluateLock('{"own', 100)).toBe('held'));
  it('is stale when its writer never finished', () => expect(evaluateLock('{"own', 60_000)).toBe('stale'));
});

it('admits one process and returns the holder to the other', () => {
  const lock = take(file);
  expect(tryLock(file)).toEqual({ heldBy: process.pid });
  lock.release();
  expect(tryLock(file)).toHaveProperty('release');
});

it('takes over from a process that was killed, also when its pid runs again', () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, JSON.stringify({ owner: `${process.pid}@1`, pid: process.pid }));
  expect(tryLock(file)).toHaveProperty('release');
  expect(fs.readdirSync(path.dirname(file))).toEqual(['a.lock']);
});

it('takes over from a process of another PID namespace once that has been killed', async () => {
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, JSON.stringify({ owner: '12@345@pid:[1]', pid: 12, inKernel: true }));
  const holder = spawn('flock', ['--no-fork', file, 'sh', '-c', 'echo held; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  expect(tryLock(file)).toEqual({ heldBy: 12 });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(tryLock(file)).toHaveProperty('release');
});

it('holds its file by a lock of the kernel until it is released', () => {
  const lock = take(file);
  const isFree = () => spawnSync('flock', ['--nonblock', file, 'true']).status === 0;
  expect(JSON.parse(fs.readFileSync(file, 'utf8')).inKernel).toBe(true);
  expect(isFree()).toBe(false);
  lock.release();
  expect(isFree()).toBe(true);
});

it('waits for the holder and reports it once', async () => {
  const first = take(file);
  const logged: (number | null)[] = [];
  const second = waitForLock(file, (pid) => logged.push(pid));
  setTimeout(first.release, 600);
  expect(await second).toHaveProperty('release');
  expect(logged).toEqual([process.pid]);
});
