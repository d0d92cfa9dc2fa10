import path from 'node:path';
import { installEngine } from '../local/engine/install-engine.ts';
import { waitForLock } from '../system/files/file-lock.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { installDocker, isDockerInstalled } from './engine/install-docker.ts';
import { runInPrivateNetwork, whyNoContainers } from './engine/private-network.ts';

const log = (line: string) => console.error(line);

/**
 * Brings an engine for containers, and runs the checks of the deployment on it, in a network of its own.
 * @param words - which checks.
 * @returns the exit code: 0 when all have passed, 1 when one has failed, 3 when nothing could be checked here.
 */
async function testDeployment(words: string[]): Promise<number> {
  const startedAt = performance.now();
  const why = whyNoContainers();
  if (why) return unable(why);
  const isWarm = isDockerInstalled();
  const parts = await Promise.all([installDocker(log), installEngine({ log })]).catch((error: Error) => error.message);
  if (typeof parts === 'string') return unable(parts);
  const [docker] = parts;
  const lock = await waitForLock(path.join(docker.folder, 'in-use.lock'), (pid) =>
    log(`docker: another run uses the engine (pid ${pid}); waiting for it`),
  );
  try {
    const program = path.join(import.meta.dirname, 'checks.ts');
    return await runInPrivateNetwork(docker, [nodeProgram(), program, ...words], process.env);
  } finally {
    lock.release();
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    log(`${minutes} minutes, ${isWarm ? 'the engine was there' : 'the first set-up included'}`);
  }
}

function unable(why: string) {
  console.log(`Nothing of the deployment was checked: ${why}`);
  return 3;
}

process.exit(await testDeployment(process.argv.slice(2)));
