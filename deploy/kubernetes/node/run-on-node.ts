import path from 'node:path';
import { Report } from '../../containers/checks/report.ts';
import { engineEnvironment } from '../../containers/engine/docker.ts';
import { installDocker } from '../../containers/engine/install-docker.ts';
import { enterPrivateNetwork } from '../../containers/engine/private-network.ts';
import { cacheFolder } from '../../system/files/folders.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { act } from './acts.ts';
import { startControlPlane } from './control-plane.ts';
import { keepChanges } from './keep-changes.ts';
import { startNode } from './node.ts';
import { runProduct } from './run-product.ts';
import { layOut, validateOverlays } from './validate.ts';

/** Runs the checks on a node, in the namespaces that `deploy-on-node.ts` has made: all that is started here ends with them. */
async function check(folder: string): Promise<boolean> {
  const log = (line: string) => console.error(line);
  await enterPrivateNetwork();
  await keepChanges(folder);
  const files = await installDocker(log);
  const supervisor = createSupervisor({ logFolder: path.join(cacheFolder(), 'kubernetes-logs'), log });
  const plane = await startControlPlane(folder, supervisor, log);
  const report = new Report();
  await validateOverlays(plane, report);
  await startNode({ folder, plane, files, env: engineEnvironment(files), supervisor, log });
  const rendered = layOut(plane);
  const product = await runProduct(folder, rendered, plane, report).finally(rendered.remove);
  if (product) await act(product, report);
  return report.end();
}

const isPassed = await check(process.argv[2]!).catch((error: Error) =>
  console.log(`The deployment on Kubernetes could not be checked: ${error.message}`),
);
process.exit(isPassed ? 0 : 1);
