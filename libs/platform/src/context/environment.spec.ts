import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DelayedRun } from '../queues/delayed-run.js';
import { currentEnvironment, findEnvironment, inEachEnvironment, inEnvironment } from './environment.js';
import { systemContext } from './request-context.js';

describe('the environment of work', () => {
  it('is the one that was opened, also after it has waited and in promises that nobody awaits', async () => {
    const seen: string[] = [];
    const detached = inEnvironment('live', () => pause(1).then(() => void seen.push(currentEnvironment())));
    await inEnvironment('test', async () => {
      await pause(5);
      seen.push(currentEnvironment());
    });
    await detached;
    expect(seen).toEqual(['live', 'test']);
  });

  it('is an error where none was opened', () => {
    expect(() => currentEnvironment()).toThrow('runs in no environment');
    expect(() => systemContext('acct_1')).toThrow('runs in no environment');
  });

  it('is each of both in turn for work of both', async () => {
    expect(await inEachEnvironment(async () => systemContext('acct_1').principal.env)).toEqual(['live', 'test']);
  });

  it('is none in a run that requests of both share', async () => {
    const seen: unknown[] = [];
    const run = new DelayedRun(0, async () => void seen.push(findEnvironment()));
    inEnvironment('live', () => run.request());
    await inEnvironment('test', () => run.flush());
    expect(seen).toEqual([undefined]);
  });
});
