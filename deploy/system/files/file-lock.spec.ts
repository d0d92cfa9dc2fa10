import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
  const text = JSON.stringify({ owner: '12@345', pid: 12 });

  it('holds while its owner runs', () => expect(evaluateLock(text, 99_999, () => true)).toBe('held'));
  it('is stale once its owner has ended', () => expect(evaluateLock(text, 0, () => false)).toBe('stale'));
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

it('waits for the holder and reports it once', async () => {
  const first = take(file);
  const logged: (number | null)[] = [];
  const second = waitForLock(file, (pid) => logged.push(pid));
  setTimeout(first.release, 600);
  expect(await second).toHaveProperty('release');
  expect(logged).toEqual([process.pid]);
});
