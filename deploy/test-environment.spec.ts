import fs from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { cacheFolder } from './system/files/folders.ts';
import type ProcessEnvironment from './test-environment.ts';

// Node itself loads the module, as jest loads the environment.
const native = process.getBuiltinModule('node:module').createRequire(import.meta.url);
const { default: Environment } = native('./test-environment.ts') as { default: typeof ProcessEnvironment };

const config = { projectConfig: { fakeTimers: {} } } as ConstructorParameters<typeof ProcessEnvironment>[0];

/** Runs work as a test file does, and then ends the environment. */
async function runFile(work: (environment: ProcessEnvironment) => void): Promise<void> {
  const environment = new Environment(config);
  work(environment);
  await environment.teardown();
}

describe('when a file of tests ends', () => {
  it('global variables have their former values, and new ones are gone', async () => {
    const { fetch } = globalThis;
    await runFile(() => Object.assign(globalThis, { fetch: () => null, ofTheFile: true }));
    expect(globalThis.fetch).toBe(fetch);
    expect(globalThis).not.toHaveProperty('ofTheFile');
  });

  it('environment variables and the working directory have their former values', async () => {
    const [path, folder] = [process.env.PATH, process.cwd()];
    await runFile(() => {
      process.env.PATH = '/nowhere';
      process.env.OF_THE_FILE = 'yes';
      process.chdir('/');
    });
    expect([process.env.PATH, process.cwd()]).toEqual([path, folder]);
    expect(process.env).not.toHaveProperty('OF_THE_FILE');
  });

  it('its listeners of the process are gone, and earlier ones stay', async () => {
    const listeners = process.listeners('SIGTERM');
    await runFile(() => process.on('SIGTERM', () => {}));
    expect(process.listeners('SIGTERM')).toEqual(listeners);
  });

  it('its fake timers end', async () => {
    const { Date: date, setTimeout: timeout } = globalThis;
    await runFile(({ fakeTimersModern }) => fakeTimersModern.useFakeTimers());
    expect(globalThis.Date).toBe(date);
    expect(globalThis.setTimeout).toBe(timeout);
  });
});

describe('modules of a file of tests', () => {
  it('share packages with the process', () => {
    expect(MongoClient).toBe(native('mongodb').MongoClient);
  });

  it('are loaded anew where they belong to the project', () => {
    expect(native('./system/files/folders.ts').cacheFolder).not.toBe(cacheFolder);
  });

  it('have the classes of which the objects of Node and of packages are instances', () => {
    expect(fs.statSync('.').mtime).toBeInstanceOf(Date);
  });
});
