import fs from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../containers/checks/report.ts';
import { readCompose } from '../../../packaging/compose-file.ts';
import { ROOT } from '../../../system/paths.mjs';
import { runCommand } from '../../../system/processes/run-command.mjs';
import type { Node } from '../cluster/node.ts';
import type { Product } from '../run-product.ts';
import { ELSEWHERE } from '../test-overlay.ts';
import type { Rendered } from '../validate.ts';
import { bookFirst } from './load.ts';

/** Starts a database and a NATS with TLS beside the cluster, and writes their addresses and certificate into the secrets. */
export async function startElsewhere({ files }: Rendered, folder: string, run: Node['runBeside']): Promise<void> {
  const root = path.resolve(files, '../..');
  const secrets = path.join(root, 'secrets');
  for (const name of fs.readdirSync(secrets).filter((each) => each.startsWith('mongodb_uri_')))
    replaceIn(path.join(secrets, name), '@mongo:', '@mongo.example:');
  await runCommand('sh', [path.join(ROOT, 'deploy/make-nats-certificates.sh')], {
    cwd: root,
    env: { ...process.env, NATS_NAMES: 'DNS:nats' },
  });
  // As components/nats-tls says.
  replaceIn(path.join(files, 'secrets/kustomization.yaml'), /(.*\/)nats_password\n/g, '$&$1nats_ca\n');
  await runCommand('ip', ['addr', 'add', `${ELSEWHERE}/32`, 'dev', 'lo']);
  const { services } = readCompose({});
  const data = path.join(folder, 'volumes/elsewhere');
  fs.mkdirSync(data, { recursive: true });
  fs.chownSync(data, 1000, 1000);
  const mounted = (name: string, target: string) => bind(path.join(root, name), target, 'ro');
  await run('nats-elsewhere', [
    '--user=1000:1000',
    ...mounted('secrets/mounted/nats', '/run/secrets'),
    ...mounted('deploy/nats.conf', '/etc/nats/nats.conf'),
    ...bind(path.join(ROOT, 'deploy/nats-tls.conf'), '/etc/nats/nats-tls.conf', 'ro'),
    ...bind(data, '/data', 'rw'),
    services.nats.image!,
    'nats-server',
    '--config',
    '/etc/nats/nats-tls.conf',
  ]);
  await run('mongo-elsewhere', [
    '--user=999:999',
    ...Object.entries(services.mongo.environment!).map(([name, value]) => `--env=${name}=${value}`),
    ...mounted('secrets/mounted/mongo', '/run/secrets'),
    ...mounted('deploy/mongo/create-users.js', '/docker-entrypoint-initdb.d/create-users.js'),
    services.mongo.image!,
  ]);
}

const bind = (from: string, target: string, mode: 'ro' | 'rw') => [
  `--mount=type=bind,src=${from},dst=${target},options=rbind:${mode}`,
];

function replaceIn(file: string, pattern: string | RegExp, by: string) {
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(pattern, by));
}

/** Books in a cluster that has no server of its own. */
export async function managed(product: Product, report: Report): Promise<void> {
  await report.row('servers in the cluster', 'none', async () => {
    const own = (await product.kubectl(['get', 'statefulsets', '--output=name'])).trim();
    return { seen: own || 'none', passed: own === '' };
  });
  await bookFirst(product, report);
}
