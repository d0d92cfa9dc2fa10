import { AsyncLocalStorage } from 'node:async_hooks';
import { ENVIRONMENTS, type Environment } from '@swim/contracts';

const storage = new AsyncLocalStorage<Environment>();

/** Runs work, and all that it starts, in an environment (`docs/adr/0024-the-environment-of-work.md`). */
export const inEnvironment = <T>(env: Environment, work: () => T): T => storage.run(env, work);

/** Runs work in each environment, side by side: one that is slow does not delay the other. */
export const inEachEnvironment = <T>(work: () => Promise<T>): Promise<T[]> =>
  Promise.all(ENVIRONMENTS.map((env) => inEnvironment(env, work)));

/** The environment of the running work, for what may belong to none, as a log line. */
export const findEnvironment = (): Environment | undefined => storage.getStore();

/** The environment of the running work. Throws where nothing has opened one: there is no default. */
export function currentEnvironment(): Environment {
  const env = findEnvironment();
  if (env === undefined) throw new Error('This work runs in no environment: open one with inEnvironment.');
  return env;
}
