import path from 'node:path';
import { Report } from '../../containers/checks/report.ts';
import { engineEnvironment } from '../../containers/engine/docker.ts';
import { installDocker } from '../../containers/engine/install-docker.ts';
import { enterPrivateNetwork } from '../../containers/engine/private-network.ts';
import { cacheFolder } from '../../system/files/folders.ts';
import { createSupervisor } from '../../system/processes/supervisor.ts';
import { managed, startElsewhere } from './acts/managed.ts';
import { oneHost } from './acts/one-host.ts';
import { threeHosts } from './acts/three-hosts.ts';
import { startControlPlane } from './cluster/control-plane.ts';
import { keepChanges } from './cluster/keep-changes.ts';
import { type Node, startNode } from './cluster/node.ts';
import { type Product, removeProduct, runProduct } from './run-product.ts';
import type { Tried } from './test-overlay.ts';
import { layOut, type Rendered, validateOverlays } from './validate.ts';

interface Trial {
  /** What is done before the overlay is applied. */
  prepare?: (rendered: Rendered, folder: string, node: Node) => Promise<void>;
  act: (product: Product, report: Report) => Promise<void>;
}

const TRIALS: Record<Tried, Trial> = {
  managed: {
    prepare: (rendered, folder, { runBeside }) => startElsewhere(rendered, folder, runBeside),
    act: managed,
  },
  'three-hosts': { act: threeHosts },
  'one-host': { act: oneHost },
};

/** Runs the checks on a node, in the namespaces that `deploy-on-node.ts` has made: all that is started here ends with them. */
async function check(folder: string, chosen: string[]): Promise<boolean> {
  const overlays = (chosen.length > 0 ? chosen : Object.keys(TRIALS)) as Tried[];
  const unknown = overlays.filter((each) => !(each in TRIALS));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: say ${Object.keys(TRIALS).join(', ')}`);
  const log = (line: string) => console.error(line);
  await enterPrivateNetwork();
  await keepChanges(folder);
  const files = await installDocker(log);
  const supervisor = createSupervisor({ logFolder: path.join(cacheFolder(), 'kubernetes-logs'), log });
  const plane = await startControlPlane(folder, supervisor, log);
  const report = new Report();
  await validateOverlays(plane, report);
  const node = await startNode({ folder, plane, files, env: engineEnvironment(files), supervisor, log });
  for (const overlay of overlays) {
    const { prepare, act } = TRIALS[overlay];
    const rendered = layOut(plane);
    try {
      await prepare?.(rendered, folder, node);
      const product = await runProduct(overlay, rendered, { folder, plane, report });
      if (product) await act(product, report);
      await removeProduct(plane);
    } finally {
      rendered.remove();
    }
  }
  return report.end();
}

const [folder, ...overlays] = process.argv.slice(2);
const isPassed = await check(folder!, overlays).catch((error: Error) =>
  console.log(`The deployment on Kubernetes could not be checked: ${error.message}`),
);
process.exit(isPassed ? 0 : 1);
