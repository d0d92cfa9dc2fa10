import fs from 'node:fs';
import path from 'node:path';
import type { Report } from '../../containers/checks/report.ts';
import { weighContainers } from './cluster/control-groups.ts';
import type { ControlPlane } from './cluster/control-plane.ts';
import { GATEWAY, NAMESPACE, TESTED, type Tried, writeOverlay } from './test-overlay.ts';
import type { Rendered } from './validate.ts';

const UP_WITHIN = '--timeout=600s';

/** The product in a cluster. */
export interface Product {
  origin: string;
  /** The names of our processes. */
  processes: string[];
  /** Runs `kubectl` in the product's namespace. */
  kubectl: (words: string[], input?: string) => Promise<string>;
  /** Runs a program in a pod of a process; returns what it printed. */
  exec: (process: string, ...words: string[]) => Promise<string>;
}

interface Place {
  /** Where volumes are made. */
  folder: string;
  plane: ControlPlane;
  report: Report;
}

/** Applies the files as README says, and waits until everything is ready; null where that fails. */
export async function runProduct(
  tried: Tried,
  { render, files }: Rendered,
  { folder, plane, report }: Place,
): Promise<Product | null> {
  const kubectl: Product['kubectl'] = (words, input) => plane.kubectl([`--namespace=${NAMESPACE}`, ...words], input);
  const processes = fs
    .readdirSync(path.join(files, 'base'), { withFileTypes: true })
    .filter((each) => each.isDirectory());
  writeOverlay(files, folder, tried);
  report.begin(`The overlay \`${tried}\` on a node`);
  const isReady = await report.row(`\`secrets\` and \`${tried}\` are applied`, 'everything is ready', async () => {
    await plane.kubectl(['apply', '--server-side'], fs.readFileSync(path.join(files, 'base/namespace.yaml'), 'utf8'));
    for (const each of ['secrets', TESTED]) await plane.kubectl(['apply', '--server-side'], await render(each));
    await weighContainers();
    for (const each of (await kubectl(['get', 'statefulsets', '--output=name'])).split('\n').filter(Boolean))
      await kubectl(['rollout', 'status', each, UP_WITHIN]);
    await kubectl(['wait', 'deployments', '--all', '--for=condition=Available', UP_WITHIN]);
    const pods = (await kubectl(['get', 'pods', '--output=name'])).trim().split('\n');
    return { seen: `${pods.length} pods are ready`, passed: true };
  });
  if (!isReady) {
    console.log(await kubectl(['get', 'pods', '--output=wide']));
    console.log(await kubectl(['get', 'events', '--sort-by=.lastTimestamp']));
    return null;
  }
  return {
    origin: `http://${GATEWAY}`,
    processes: processes.map(({ name }) => name),
    kubectl,
    exec: (process, ...words) => kubectl(['exec', `deployment/swim-${process}`, '--', ...words]),
  };
}

/** Removes the product with its volumes. */
export async function removeProduct({ kubectl }: ControlPlane): Promise<void> {
  await kubectl(['delete', 'namespace', NAMESPACE, UP_WITHIN]);
  await kubectl(['delete', 'persistentvolumes', '--all']);
}
