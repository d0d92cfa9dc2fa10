import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { debianPrograms } from '../../../local/debian/debian-programs.ts';
import { freePort } from '../../../system/processes/ports.ts';
import { runCommand } from '../../../system/processes/run-command.mjs';
import type { Supervisor } from '../../../system/processes/supervisor.ts';
import { installKubernetes } from './install-kubernetes.ts';

export const PROGRAMS = ['kube-apiserver', 'kubectl'];
const ETCD = { packages: ['etcd-server'], release: 'trixie' };
const UP_WITHIN_MS = 300_000;

/** A running API server. */
export interface ControlPlane {
  /** The folder of Kubernetes' programs. */
  bin: string;
  kubeconfig: string;
  /** The folder of its certificates and keys. */
  keys: string;
  /** Runs `kubectl`, with `input` as its standard input; returns what it printed, and its warnings. */
  kubectl: (words: string[], input?: string) => Promise<string>;
}

/** Brings the programs of a control plane; returns their folders. */
export const installControlPlane = (log: (line: string) => void): Promise<[kubernetes: string, etcd: string]> =>
  Promise.all([installKubernetes(PROGRAMS, log), debianPrograms('etcd-3.5', ETCD, log)]);

/**
 * Starts etcd and the API server on this machine, for requests of this machine.
 * @param folder - absolute; its data, keys and logs.
 */
export async function startControlPlane(
  folder: string,
  supervisor: Supervisor,
  log: (line: string) => void,
): Promise<ControlPlane> {
  const [bin, etcd] = await installControlPlane(log);
  const keys = path.join(folder, 'keys');
  fs.mkdirSync(keys, { recursive: true });
  const [client, peer, port] = await Promise.all([freePort(), freePort(), freePort()]);
  const token = crypto.randomBytes(16).toString('hex');
  const kubeconfig = writeKubeconfig(folder, `https://127.0.0.1:${port}`, token);
  fs.writeFileSync(path.join(keys, 'tokens.csv'), `${token},test,test,system:masters\n`, { mode: 0o600 });
  await runCommand('openssl', ['genrsa', '-out', path.join(keys, 'accounts.key'), '2048']);
  const url = `http://127.0.0.1:${client}`;
  await supervisor.launch({
    name: 'etcd',
    command: path.join(etcd, 'usr/bin/etcd'),
    args: etcdWords(folder, url, `http://127.0.0.1:${peer}`),
    isReady: () => answers(`${url}/health`),
  });
  const kubectl: ControlPlane['kubectl'] = (words, input) => runKubectl(bin, kubeconfig, words, input);
  await supervisor.launch({
    name: 'kube-apiserver',
    command: path.join(bin, 'kube-apiserver'),
    args: apiServerWords(keys, url, port),
    readyWithinMs: UP_WITHIN_MS,
    isReady: () =>
      kubectl(['get', '--raw', '/readyz']).then(
        (text) => text.includes('ok'),
        () => false,
      ),
  });
  return { bin, kubeconfig, keys, kubectl };
}

const etcdWords = (folder: string, client: string, peer: string) => [
  `--data-dir=${path.join(folder, 'etcd')}`,
  `--listen-client-urls=${client}`,
  `--advertise-client-urls=${client}`,
  `--listen-peer-urls=${peer}`,
  `--initial-advertise-peer-urls=${peer}`,
  `--initial-cluster=default=${peer}`,
  '--unsafe-no-fsync',
];

const apiServerWords = (keys: string, etcd: string, port: number) => [
  `--etcd-servers=${etcd}`,
  '--bind-address=127.0.0.1',
  `--secure-port=${port}`,
  `--cert-dir=${keys}`,
  `--token-auth-file=${path.join(keys, 'tokens.csv')}`,
  '--authorization-mode=Node,RBAC',
  '--allow-privileged=true',
  '--kubelet-preferred-address-types=InternalIP',
  '--service-cluster-ip-range=10.96.0.0/16',
  '--service-account-issuer=https://kubernetes.default.svc',
  `--service-account-key-file=${path.join(keys, 'accounts.key')}`,
  `--service-account-signing-key-file=${path.join(keys, 'accounts.key')}`,
];

function writeKubeconfig(folder: string, server: string, token: string): string {
  const file = path.join(folder, 'kubeconfig');
  const configuration = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    // The API server makes its certificate itself, and serves this machine alone.
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: { token } }],
  };
  fs.writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 });
  return file;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function runKubectl(bin: string, kubeconfig: string, words: string[], input?: string): Promise<string> {
  const all = [`--kubeconfig=${kubeconfig}`, ...words];
  if (input === undefined) return runCommand(path.join(bin, 'kubectl'), all, { shownLines: 40 });
  const file = `${kubeconfig}.${crypto.randomBytes(4).toString('hex')}.yaml`;
  fs.writeFileSync(file, input, { mode: 0o600 });
  try {
    return await runCommand(path.join(bin, 'kubectl'), [...all, '--filename', file], { shownLines: 40 });
  } finally {
    fs.rmSync(file);
  }
}
