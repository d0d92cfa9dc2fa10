import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { isRunning, processIdentity, startTicks } from './process-identity.mjs';

const fields = (state: string) =>
  `7 (a (b) c) ${state} ${Array.from({ length: 30 }, (_, index) => index + 4).join(' ')}`;

it('reads the start time behind a name with spaces and brackets', () => expect(startTicks(fields('S'))).toBe('22'));

it('counts a zombie as ended', () => expect(() => startTicks(fields('Z'))).toThrow());

it('recognises a process until it ends, and no later one of the same pid', async () => {
  const child = spawn('sleep', ['60']);
  const identity = processIdentity(child.pid!);
  expect(isRunning(identity)).toBe(true);
  expect(isRunning(`${child.pid}@1`)).toBe(false);
  child.kill();
  await once(child, 'exit');
  expect(isRunning(identity)).toBe(false);
});

it('recognises no process without a pid', () =>
  expect([processIdentity(0), processIdentity(Number.NaN)]).toEqual([null, null]));

it('counts a process of another PID namespace as running, since its pid is unknown here', () =>
  expect(isRunning('1234567@1@pid:[1]')).toBe(process.platform === 'linux'));
