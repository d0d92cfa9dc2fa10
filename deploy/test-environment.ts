import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { packageGlobals } from './test-runtime.ts';

type Global = JestEnvironment['global'];
type Listener = (...values: unknown[]) => void;

const listenersOf = (name: string | symbol) => process.rawListeners(name) as Listener[];

/** Records what a test file can change in its process; returns a function that undoes the changes. */
function noteProcess(): () => void {
  const globals = new Map(
    Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)!]),
  );
  const env = { ...process.env };
  const { exit, exitCode } = process;
  const folder = process.cwd();
  const listeners = new Map(process.eventNames().map((name) => [name, listenersOf(name)]));
  return () => {
    for (const key of Reflect.ownKeys(globalThis)) restoreGlobal(key, globals.get(key));
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit, exitCode });
    if (process.cwd() !== folder) process.chdir(folder);
    for (const name of process.eventNames()) {
      const kept = listeners.get(name) ?? [];
      for (const listener of listenersOf(name)) if (!kept.includes(listener)) process.removeListener(name, listener);
    }
  };
}

function restoreGlobal(key: PropertyKey, before: PropertyDescriptor | undefined) {
  const { configurable, get, value } = Object.getOwnPropertyDescriptor(globalThis, key)!;
  if (!configurable || packageGlobals.has(key)) return;
  if (!before) Reflect.deleteProperty(globalThis, key);
  else if (!Object.is(value, before.value) || get !== before.get) Object.defineProperty(globalThis, key, before);
}

/**
 * The environment of a file of tests: the process itself, so that all code of a test has one realm, and packages need not be
 * loaded for each file. When a file ends, the global variables, the environment variables, the working directory, and the
 * listeners of the process are again what they were; spies and fake timers end too.
 */
export default class ProcessEnvironment implements JestEnvironment {
  global = globalThis as unknown as Global;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern: ModernFakeTimers;
  readonly #restore = noteProcess();

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** The context is null because `test-runtime.ts` runs modules in the realm of the process. */
  getVmContext() {
    return null;
  }
}
