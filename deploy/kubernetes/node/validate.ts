import fs from 'node:fs';
import path from 'node:path';
import type { Report } from '../../containers/checks/report.ts';
import { makeSecrets } from '../../packaging/secrets.ts';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import { ROOT } from '../../system/paths.mjs';
import { runCommand } from '../../system/processes/run-command.mjs';
import type { ControlPlane } from './cluster/control-plane.ts';

const FOLDER = 'deploy/kubernetes';
const READ = [FOLDER, 'deploy/monitoring', 'deploy/mongo', 'deploy/nats.conf'];
/** What defines the objects of others: modules of Go, and folders in them. */
const DEFINITIONS = [
  { module: 'github.com/kedacore/keda/v2@v2.18.1', folder: 'config/crd/bases', names: ['keda.sh_scaledobjects.yaml'] },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    names: ['monitoring.coreos.com_podmonitors.yaml', 'monitoring.coreos.com_prometheusrules.yaml'],
  },
];

/** The files of the product as kustomize reads them, with secrets of their own. */
export interface Rendered {
  /** The copy of this folder's parent. */
  files: string;
  render: (folder: string) => Promise<string>;
  remove: () => void;
}

/** Lays the files out beside new secrets, so that no secrets of this clone are read. */
export function layOut({ bin }: Pick<ControlPlane, 'bin'>): Rendered {
  const { folder, remove } = temporaryFolder();
  for (const each of READ) fs.cpSync(path.join(ROOT, each), path.join(folder, each), { recursive: true });
  const secrets = makeSecrets();
  fs.cpSync(secrets.folder, path.join(folder, 'secrets'), { recursive: true });
  secrets.remove();
  const words = ['kustomize', '--load-restrictor', 'LoadRestrictionsNone'];
  return {
    files: path.join(folder, FOLDER),
    render: (part) => runCommand(path.join(bin, 'kubectl'), [...words, path.join(folder, FOLDER, part)]),
    remove,
  };
}

/** Has the API server check each object of every overlay as if it was applied. A warning is a fault. The namespace is made. */
export async function validateOverlays(plane: ControlPlane, report: Report): Promise<void> {
  const { kubectl } = plane;
  const { render, remove } = layOut(plane);
  try {
    await define(plane);
    await kubectl(['apply', '--server-side'], fs.readFileSync(path.join(ROOT, FOLDER, 'base/namespace.yaml'), 'utf8'));
    const overlays = fs.readdirSync(path.join(ROOT, FOLDER, 'overlays')).map((name) => `overlays/${name}`);
    const words = ['apply', '--server-side', '--dry-run=server', '--warnings-as-errors', '--output=name'];
    report.begin("What Kubernetes' API server says");
    for (const each of ['secrets', ...overlays])
      await report.row(`\`${each}\``, 'accepted', async () => {
        const names = (await kubectl(words, await render(each))).trim().split('\n');
        return { seen: `${names.length} objects accepted`, passed: true };
      });
  } finally {
    remove();
  }
}

async function define({ kubectl }: ControlPlane) {
  for (const { module, folder, names } of DEFINITIONS) {
    const described = await runCommand('go', ['mod', 'download', '-json', module]);
    const { Dir: its } = JSON.parse(described) as { Dir: string };
    for (const name of names)
      await kubectl(['apply', '--server-side'], fs.readFileSync(path.join(its, folder, name), 'utf8'));
  }
  await kubectl(['wait', '--for=condition=Established', '--timeout=60s', 'customresourcedefinitions', '--all']);
}
