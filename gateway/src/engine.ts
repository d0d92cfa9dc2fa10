import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@swim/platform';
import { type EngineApp, loaded, POLICIES } from './plugin.js';
import type { Probe } from './policies.js';

const require = createRequire(import.meta.url);
const CONFIG_FOLDER = fileURLToPath(new URL('../config', import.meta.url));
const PLUGIN_FILE = fileURLToPath(new URL('./plugin.js', import.meta.url));

interface EngineLog {
  transports: { silent: boolean }[];
  on(event: 'data', forwardLogs: (entry: { level: string; message: string }) => void): void;
}

interface Engine {
  load(configFolder: string): { run(): Promise<unknown> };
}

/** The engine did not start completely; the message is a sentence for the operator. */
export class HalfLoaded extends Error {}

/** Forwards the engine's log to the logger and collects its errors: it logs errors that should stop it, and goes on. */
function forwardLogs(logger: Logger, errors: string[]): void {
  const logs = require('express-gateway/lib/logger') as Record<string, EngineLog | (() => unknown)>;
  for (const log of Object.values(logs)) {
    if (typeof log === 'function') continue;
    for (const transport of log.transports) transport.silent = true;
    log.on('data', ({ level, message }) => {
      const isError = level.includes('error');
      if (isError) errors.push(message);
      if (isError || level.includes('warn')) logger.warn({ component: 'express-gateway' }, message);
    });
  }
}

/**
 * The engine makes a context for each request: a new prototype, with an id from a deprecated Buffer. Only conditions and the
 * engine's own policies read it, and the pipeline has neither: all requests share one.
 */
function withoutContext(): void {
  const file = require.resolve('express-gateway/lib/gateway/context');
  const shared = {};
  require(file);
  require.cache[file]!.exports = function Context() {
    return shared;
  };
}

/** Runs the pipeline on a probe, which records the policies that are reached. */
function policiesReached(app: EngineApp): string[] {
  const probe: Probe = { reached: [] };
  const request = { method: 'GET', url: '/', headers: {}, exchange: probe };
  app(request as unknown as Parameters<EngineApp>[0], {}, () => undefined);
  return probe.reached;
}

function checkedApp(errors: string[]): EngineApp {
  const why = errors.length > 0 ? ` Its log: ${errors.join(' ')}` : '';
  if (!loaded.app) throw new HalfLoaded(`express-gateway has not loaded our plugin.${why}`);
  const registered = (require('express-gateway/lib/policies') as { policies: Record<string, unknown> }).policies;
  const missing = POLICIES.filter((policy) => registered[policy.name] !== policy).map(({ name }) => name);
  if (missing.length > 0)
    throw new HalfLoaded(`express-gateway runs without our policies ${missing.join(', ')}.${why}`);
  const [expected, reached] = [POLICIES.map(({ name }) => name).join(', '), policiesReached(loaded.app).join(', ')];
  if (expected !== reached)
    throw new HalfLoaded(`The pipeline must run ${expected}; it runs ${reached || 'nothing'}.${why}`);
  return loaded.app;
}

/**
 * Starts express-gateway with its configuration and plugin, once for each process. Throws HalfLoaded when the plugin, a
 * policy or the pipeline is missing.
 */
export async function startEngine(logger: Logger): Promise<EngineApp> {
  const errors: string[] = [];
  Object.assign(process.env, {
    EG_CONFIG_DIR: CONFIG_FOLDER,
    EG_DISABLE_CONFIG_WATCH: '1',
    GATEWAY_PLUGIN: PLUGIN_FILE,
  });
  forwardLogs(logger, errors);
  withoutContext();
  try {
    await (require('express-gateway') as () => Engine)().load(CONFIG_FOLDER).run();
  } catch (error) {
    throw new HalfLoaded(`express-gateway does not start: ${(error as Error).message}. ${errors.join(' ')}`, {
      cause: error,
    });
  }
  return checkedApp(errors);
}
