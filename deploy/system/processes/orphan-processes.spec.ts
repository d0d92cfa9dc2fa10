import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../paths.mjs';
import { endOrphanProcesses, isAbandoned, ownerMark } from './orphan-processes.ts';

const environment = (owner: string, root: string) => `A=1\0LOCAL_RUN_OWNER=${owner};${root}\0B=2\0`;
const dead = () => false;

describe('isAbandoned', () => {
  it('is a process of this clone whose owner has ended', () =>
    expect(isAbandoned(environment('5@6', '/clone'), '/clone', dead)).toBe(true));
  it('is none whose owner runs', () =>
    expect(isAbandoned(environment('5@6', '/clone'), '/clone', () => true)).toBe(false));
  it('is none of another clone, however alike its name', () =>
    expect(isAbandoned(environment('5@6', '/clone-2'), '/clone', dead)).toBe(false));
  it('is what a test has started, when its run has ended', () =>
    expect(isAbandoned(`LOCAL_RUN_OWNER=${process.env.LOCAL_RUN_OWNER}`, ROOT, dead)).toBe(true));
  it('is no unrelated process', () => expect(isAbandoned('A=1\0', '/clone', dead)).toBe(false));
});

it('ends the orphan processes of a killed owner, and no others', async () => {
  const root = `/no/such/clone-${process.pid}`;
  const left = spawn('sleep', ['60'], { env: { LOCAL_RUN_OWNER: `${process.pid}@1;${root}` } });
  const owned = spawn('sleep', ['60'], { env: ownerMark(root) });
  await Promise.all([once(left, 'spawn'), once(owned, 'spawn')]);
  const [[, signal]] = await Promise.all([once(left, 'exit'), endOrphanProcesses(root, () => {})]);
  expect([signal, owned.exitCode, owned.signalCode]).toEqual(['SIGTERM', null, null]);
  owned.kill();
});
