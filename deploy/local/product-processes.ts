import fs from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@swim/contracts';
import { nodeProgram, pathWithPackages } from '../system/node-program.mjs';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { freePort } from '../system/ports.ts';
import type { ProcessDescription } from '../system/supervised-process.ts';

/**
 * Flags that keep a process small, in the image too: semi-spaces of 4 MB instead of 16, and an old generation that is cleared
 * before it has grown by more than three tenths. With one tenth, a service under load keeps 3 to 8 MB less, and its garbage
 * collector takes half as much processor time again. With smaller semi-spaces, live data of requests is promoted to the old
 * generation, and memory grows. With 16 MB, code that does little but allocate takes a fifth less processor time, but a service
 * under load keeps 20 to 40 MB more, above the 150 MB that a process may have. The gateway, which serves every request and has
 * neither Nest nor a driver, gets 8 MB. Notification prefers memory to speed: while it sends webhooks it keeps 167 instead of
 * 215 MB, and takes 0.67 instead of 0.5 ms of processor time for each.
 * @param name - one of SERVICES, or `gateway`.
 */
export const nodeFlags = (name: string): string[] => [
  `--max-semi-space-size=${name === 'gateway' ? 8 : 4}`,
  '--heap-growing-percent=30',
  ...(name === 'notification' ? ['--optimize-for-size'] : []),
];

/** Limits native memory likewise: glibc would keep an arena for each thread. */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2' };

/** The services, each a process of its own and a package below `services`. */
export const SERVICES = fs
  .readdirSync(path.join(ROOT, 'services'))
  .filter((name): name is ServiceName => fs.existsSync(path.join(ROOT, 'services', name, 'package.json')))
  .sort();

/** Where processes of Node keep the code that they have compiled, for the next ones: in runs of tests, which start many. */
export const COMPILED = path.join(LOCAL, 'compiled');

/**
 * The environment variables of every process of the product, in addition to our own. NODE_COMPILE_CACHE is not one of them, as in the
 * images: a process would start with 0.15 s less of processor time, and keep what it has read of the cache, 9 to 12 MB, until it ends.
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

/**
 * Describes a service to a supervisor; ready means that its health answers 200.
 * @param env - of `serviceEnvironment`, and the secrets of this service.
 */
export function serviceProcess(name: ServiceName, env: Record<string, string>): Promise<ProcessDescription> {
  return healthyProcess(name, path.join(ROOT, 'services', name, 'dist/main.js'), env);
}

/**
 * Describes the gateway to a supervisor, like `serviceProcess`.
 * @param port - where it serves the API.
 */
export function gatewayProcess(port: number, env: Record<string, string>): Promise<ProcessDescription> {
  return healthyProcess('gateway', path.join(ROOT, 'gateway/dist/main.js'), { ...env, PORT: String(port) });
}

async function healthyProcess(name: string, program: string, env: Record<string, string>): Promise<ProcessDescription> {
  const healthPort = await freePort();
  return {
    name,
    command: nodeProgram(),
    args: [...nodeFlags(name), program],
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
