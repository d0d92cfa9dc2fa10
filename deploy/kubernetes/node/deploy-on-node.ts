import path from 'node:path';
import { installDocker } from '../../containers/engine/install-docker.ts';
import { runInPrivateNetwork, whyNoContainers } from '../../containers/engine/private-network.ts';
import { installEngine } from '../../local/engine/install-engine.ts';
import { waitForLock } from '../../system/files/file-lock.mjs';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import { nodeProgram } from '../../system/processes/node-program.mjs';
import { removeControlGroups } from './cluster/control-groups.ts';
import { installControlPlane } from './cluster/control-plane.ts';
import { installNode } from './cluster/node.ts';

/**
 * Deploys the product on a node of Kubernetes in namespaces of its own, and checks what it does there.
 * @param overlays - which ones; all that run there without a name.
 * @returns the exit code: 0 when all checks have passed, 1 when one has failed, 3 when nothing could be checked here.
 */
export async function deployOnNode(overlays: string[], log: (line: string) => void): Promise<number> {
  const why = whyNoContainers();
  if (why) return unable(why);
  const kubernetes = installNode(log).then(() => installControlPlane(log));
  const parts = await Promise.all([installDocker(log), installEngine({ log }), kubernetes]).catch(
    (error: Error) => error.message,
  );
  if (typeof parts === 'string') return unable(parts);
  const [docker] = parts;
  const { folder, remove } = temporaryFolder();
  const run = (program: string, words: string[] = []) => {
    const command = [nodeProgram(), path.join(import.meta.dirname, program), folder, ...words];
    return runInPrivateNetwork(docker, command, process.env);
  };
  try {
    const lock = await waitForLock(path.join(docker.folder, 'in-use.lock'), (pid) =>
      log(`docker: another run uses the engine (pid ${pid}); waiting for it`),
    );
    const built = await run('save-images.ts').finally(() => lock.release());
    if (built !== 0) return unable('the images of the product could not be built');
    return await run('run-on-node.ts', overlays);
  } finally {
    remove();
    removeControlGroups();
  }
}

function unable(why: string) {
  console.log(`Nothing was deployed on Kubernetes: ${why}`);
  return 3;
}
