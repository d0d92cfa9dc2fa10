import fs from 'node:fs';
import path from 'node:path';
import { nodeProgram, pathWithPackages } from '../system/node-program.mjs';
import { LOCAL, ROOT } from '../system/paths.mjs';
import { freePort } from '../system/ports.mjs';

/**
 * Flags that keep a process small, in the image too: semi-spaces of 4 MB instead of 16, and an old generation that is cleared
 * before it has grown by more than a tenth. With smaller semi-spaces, live data of requests is promoted to the old
 * generation, and memory grows. The gateway, which serves every request and has neither Nest nor a driver, gets 8 MB.
 * @param {string} name one of SERVICES, or `gateway`.
 * @returns {string[]}
 */
export const nodeFlags = (name) => [`--max-semi-space-size=${name === 'gateway' ? 8 : 4}`, '--heap-growing-percent=10'];

/** Limits native memory likewise: glibc would keep an arena for each thread. */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '2' };

/** The services, each a process of its own and a package below `services`. */
export const SERVICES = fs
  .readdirSync(path.join(ROOT, 'services'))
  .filter((name) => fs.existsSync(path.join(ROOT, 'services', name, 'package.json')))
  .sort();

/**
 * The environment variables of every process of the product, in addition to our own.
 * @param {object} options
 * @param {string} options.mongodbUri
 * @param {string} options.natsUrl
 * @returns {Record<string, string>}
 */
export function serviceEnvironment({ mongodbUri, natsUrl }) {
  return {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: path.join(LOCAL, 'compiled'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    PATH: pathWithPackages(),
  };
}

/**
 * Describes a service to a supervisor.
 * @param {string} name one of SERVICES.
 * @param {Record<string, string>} env of `serviceEnvironment`, and the secrets of this service.
 * @returns {Promise<import('../system/supervisor.mjs').ProcessDescription>} a description as `createSupervisor` takes it; ready means that its health answers 200.
 */
export function serviceProcess(name, env) {
  return healthyProcess(name, path.join(ROOT, 'services', name, 'dist/main.js'), env);
}

/**
 * Describes the gateway to a supervisor.
 * @param {number} port where it serves the API.
 * @param {Record<string, string>} env of `serviceEnvironment`.
 * @returns {Promise<import('../system/supervisor.mjs').ProcessDescription>} as `serviceProcess`.
 */
export function gatewayProcess(port, env) {
  return healthyProcess('gateway', path.join(ROOT, 'gateway/dist/main.js'), { ...env, PORT: String(port) });
}

async function healthyProcess(name, program, env) {
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

async function isHealthy(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2000) });
  await answer.arrayBuffer();
  return answer.ok;
}
