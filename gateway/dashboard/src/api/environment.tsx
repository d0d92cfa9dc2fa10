import type { Swim } from '@swim/sdk';
import { createContext, use } from 'react';
import { clientIn, ENVIRONMENTS, type Environment } from './client.ts';
import type { Me } from './me.ts';

const STORED = 'swim-environment';

/** The environment of the page, which its address names. */
export const EnvironmentContext = createContext<Environment | null>(null);

export const isEnvironment = (value: unknown): value is Environment => ENVIRONMENTS.includes(value as Environment);

/**
 * The environment that was last looked at in this browser, if the account has it; at first live, and the sandbox for developers, who
 * try things out.
 */
export function lastEnvironment({ user, environments }: Me): Environment {
  const stored = localStorage.getItem(STORED) ?? (user.role === 'developer' ? 'sandbox' : 'live');
  return environments.find((each) => each === stored) ?? environments[0] ?? 'live';
}

export const rememberEnvironment = (environment: Environment): void => localStorage.setItem(STORED, environment);

/** The environment of the page. */
export function useEnvironment(): Environment {
  const environment = use(EnvironmentContext);
  if (!environment) throw new Error('The page has no environment.');
  return environment;
}

/** The client of the public API in the environment of the page. */
export const useClient = (): Swim => clientIn(useEnvironment());
