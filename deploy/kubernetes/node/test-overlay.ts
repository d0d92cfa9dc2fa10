import fs from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { NODE } from './node-settings.ts';

export const NAMESPACE = 'swim';
/** The address of the gateway's Service. */
export const GATEWAY = '10.96.1.1';
/** The addresses of the other Services: the node has no DNS, so the pods have their names in /etc/hosts. */
const SERVERS = { nats: '10.96.1.2', mongo: '10.96.1.3' };
const VOLUMES = ['nats-data-nats-0', 'mongo-data-mongo-0'];
/** The limits of requests would stop a load. */
const LIMITS = ['RATE_LIMIT_PER_HOUR=100000000', 'RATE_LIMIT_PER_MINUTE=1000000'];
/** The folder of the overlay that is written here. */
export const TESTED = 'overlays/tested';

/** Writes an overlay that adds to `one-host` what a single small node needs: addresses, volumes, and less processor time set aside. */
export function writeOverlay(files: string, folder: string) {
  const address = ([name, clusterIP]: [string, string]) => ({
    target: { kind: 'Service', name },
    patch: stringify([{ op: 'add', path: '/spec/clusterIP', value: clusterIP }]),
  });
  const pods = [
    {
      op: 'add',
      path: '/spec/template/spec/hostAliases',
      value: Object.entries(SERVERS).map(([name, ip]) => ({ ip, hostnames: [name] })),
    },
    { op: 'add', path: '/spec/template/spec/dnsPolicy', value: 'Default' },
    { op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/cpu', value: '10m' },
  ];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: NAMESPACE,
    resources: ['../one-host', 'volumes.yaml'],
    configMapGenerator: [{ name: 'swim-gateway', behavior: 'merge', literals: LIMITS }],
    patches: [
      ...Object.entries({ gateway: GATEWAY, ...SERVERS }).map(address),
      ...['Deployment', 'StatefulSet'].map((kind) => ({ target: { kind }, patch: stringify(pods) })),
    ],
  };
  const overlay = path.join(files, TESTED);
  fs.mkdirSync(overlay);
  fs.writeFileSync(path.join(overlay, 'kustomization.yaml'), stringify(kustomization));
  const volumes = VOLUMES.map((claim) => stringify(volume(claim, path.join(folder, 'volumes', claim))));
  fs.writeFileSync(path.join(overlay, 'volumes.yaml'), volumes.join('---\n'));
}

function volume(claim: string, place: string) {
  fs.mkdirSync(place, { recursive: true });
  const ofNode = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE] }];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: claim },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      claimRef: { namespace: NAMESPACE, name: claim },
      local: { path: place },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: ofNode }] } },
    },
  };
}
