import fs from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { NODE } from './cluster/node-settings.ts';

export const NAMESPACE = 'swim';
/** The address of the gateway's Service. */
export const GATEWAY = '10.96.1.1';
/** Where servers beside the cluster are: the policies of the overlay `managed` name its network. */
export const ELSEWHERE = '10.1.0.1';
const MONGO = '10.96.1.3';
const SERVERS = ['nats-0', 'nats-1', 'nats-2'];
/** The limits of requests would stop a load. */
const LIMITS = ['RATE_LIMIT_PER_HOUR=100000000', 'RATE_LIMIT_PER_MINUTE=1000000'];
/** The folder of the overlay that is written here. */
export const TESTED = 'overlays/tested';

/** An overlay that is tried on the node. */
export type Tried = 'one-host' | 'three-hosts' | 'managed';

interface Addresses {
  /** The addresses of Services that the overlay has. */
  services: Record<string, string>;
  /** The addresses of Services that are added, one for each pod of a StatefulSet, since no DNS names the pods. */
  pods: Record<string, string>;
  /** The names that pods find in /etc/hosts, with their addresses: the node has no DNS. */
  names: Record<string, string>;
}

const ONE = { nats: '10.96.1.2', mongo: MONGO };
const PODS = Object.fromEntries(SERVERS.map((name, index) => [name, `10.96.1.1${index}`]));
const NAMES = Object.fromEntries(Object.entries(PODS).map(([name, ip]) => [`${name}.nats-servers`, ip]));
const ADDRESSES: Record<Tried, Addresses> = {
  'one-host': { services: ONE, pods: {}, names: ONE },
  'three-hosts': { services: ONE, pods: PODS, names: { ...ONE, ...NAMES } },
  managed: { services: {}, pods: {}, names: { nats: ELSEWHERE, 'mongo.example': ELSEWHERE } },
};
const CLAIMS: Record<Tried, string[]> = {
  'one-host': ['mongo-data-mongo-0', 'nats-data-nats-0'],
  'three-hosts': ['mongo-data-mongo-0', ...SERVERS.map((name) => `nats-data-${name}`)],
  managed: [],
};

/**
 * Writes an overlay that adds what a single small node needs: addresses, volumes, less processor time set aside, and one machine for all
 * servers of NATS.
 */
export function writeOverlay(files: string, folder: string, tried: Tried) {
  const { services, pods, names } = ADDRESSES[tried];
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: NAMESPACE,
    resources: [`../${tried}`, 'more.yaml'],
    configMapGenerator: [{ name: 'swim-gateway', behavior: 'merge', literals: LIMITS }],
    patches: [
      ...Object.entries({ gateway: GATEWAY, ...services }).map(([name, clusterIP]) => ({
        target: { kind: 'Service', name },
        patch: stringify([{ op: 'add', path: '/spec/clusterIP', value: clusterIP }]),
      })),
      ...['Deployment', 'StatefulSet'].map((kind) => ({ target: { kind }, patch: stringify(smaller(names)) })),
      ...(tried === 'three-hosts'
        ? [{ target: { kind: 'StatefulSet', name: 'nats' }, patch: stringify(TOGETHER) }]
        : []),
    ],
  };
  const overlay = path.join(files, TESTED);
  fs.mkdirSync(overlay);
  fs.writeFileSync(path.join(overlay, 'kustomization.yaml'), stringify(kustomization));
  const more = [
    ...Object.entries(pods).map(serviceOf),
    ...CLAIMS[tried].map((claim) => volume(claim, path.join(folder, 'volumes', tried, claim))),
  ];
  fs.writeFileSync(path.join(overlay, 'more.yaml'), more.map((each) => stringify(each)).join('---\n'));
}

const smaller = (names: Record<string, string>) => [
  {
    op: 'add',
    path: '/spec/template/spec/hostAliases',
    value: [...Map.groupBy(Object.entries(names), ([, ip]) => ip)].map(([ip, its]) => ({
      ip,
      hostnames: its.map(([name]) => name),
    })),
  },
  { op: 'add', path: '/spec/template/spec/dnsPolicy', value: 'Default' },
  { op: 'replace', path: '/spec/template/spec/containers/0/resources/requests/cpu', value: '10m' },
];

const TOGETHER = [
  { op: 'replace', path: '/spec/template/spec/topologySpreadConstraints/0/whenUnsatisfiable', value: 'ScheduleAnyway' },
];

const serviceOf = ([name, clusterIP]: [string, string]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    clusterIP,
    publishNotReadyAddresses: true,
    selector: { 'statefulset.kubernetes.io/pod-name': name },
    ports: [{ name: 'cluster', port: 6222 }],
  },
});

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
