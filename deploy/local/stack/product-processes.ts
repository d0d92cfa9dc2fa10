import fs from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@swim/contracts';
import { LOCAL, ROOT } from '../../system/paths.mjs';
import { nodeProgram, pathWithPackages } from '../../system/processes/node-program.mjs';
import { freePort } from '../../system/processes/ports.ts';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';

/** Without it, V8 lets the young generation grow to 190 MB, nearly all of it garbage; with it, to 48. */
export const NODE_FLAGS = ['--max-semi-space-size=16'];

/** By default glibc keeps an arena of native memory for each thread, which saves no time. */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '1' };

/** Each package below `services` is a service and runs as a process. */
export const SERVICES = fs
  .readdirSync(path.join(ROOT, 'services'))
  .filter((name): name is ServiceName => fs.existsSync(path.join(ROOT, 'services', name, 'package.json')))
  .sort();

/** Where processes of Node keep the code that they have compiled, for the next ones: in runs of tests, which start many. */
export const COMPILED = path.join(LOCAL, 'compiled');

/**
 * The environment variables of every process of the product, in addition to our own. NODE_COMPILE_CACHE is not one of them, as in the
 * images: it would save a process of a bundle 0.08 s of processor time when it starts, and has to be filled before.
 */
export function serviceEnvironment({
  mongodbUri,
  natsUrl,
}: {
  mongodbUri: string;
  natsUrl: string;
}): Record<string, string> {
  return {
    NODE_ENV: 'production',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    PATH: pathWithPackages(),
  };
}

/** A process runs its bundle, as in the image, or the compiled file of each source. */
type Built = 'bundle' | 'dist';

/**
 * Describes a service to a supervisor; it is ready when its health answers 200.
 * @param env - the environment from `serviceEnvironment`, and the secrets of this service.
 */
export function serviceProcess(
  name: ServiceName,
  env: Record<string, string>,
  built: Built = 'bundle',
): Promise<ProcessDescription> {
  return healthyProcess(name, path.join(ROOT, 'services', name, built, 'main.js'), env);
}

/**
 * Describes the gateway to a supervisor, like `serviceProcess`.
 * @param port - the port of the API.
 */
export function gatewayProcess(
  port: number,
  env: Record<string, string>,
  built: Built = 'bundle',
): Promise<ProcessDescription> {
  return healthyProcess('gateway', path.join(ROOT, 'gateway', built, 'main.js'), { ...env, PORT: String(port) });
}

/** Describes the process that makes the streams of NATS to a supervisor, like `serviceProcess`. */
export const busSetupProcess = (env: Record<string, string>): Promise<ProcessDescription> =>
  healthyProcess('bus-setup', path.join(ROOT, 'services/notification/dist/bus-setup.js'), env);

async function healthyProcess(name: string, program: string, env: Record<string, string>): Promise<ProcessDescription> {
  const healthPort = await freePort();
  return {
    name,
    command: nodeProgram(),
    args: [...NODE_FLAGS, program],
    cwd: ROOT,
    env: { ...MALLOC_SETTINGS, ...env, HEALTH_HOST: '127.0.0.1', HEALTH_PORT: String(healthPort) },
    isReady: () => isHealthy(healthPort),
  };
}

async function isHealthy(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2000) });
  await answer.arrayBuffer();
  return answer.ok;
}
