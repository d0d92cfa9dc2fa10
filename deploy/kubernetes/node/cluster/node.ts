import fs from 'node:fs';
import path from 'node:path';
import type { DockerFiles } from '../../../containers/engine/install-docker.ts';
import { debianPrograms } from '../../../local/debian/debian-programs.ts';
import { runCommand } from '../../../system/processes/run-command.mjs';
import type { Supervisor } from '../../../system/processes/supervisor.ts';
import { type ControlPlane, PROGRAMS } from './control-plane.ts';
import { installKubernetes } from './install-kubernetes.ts';
import { NODE, PODS, writeSettings } from './node-settings.ts';

const OF_NODE = ['kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];
const PLUGINS = { packages: ['containernetworking-plugins'], release: 'trixie' };
/** The file of the images, in the folder of a run. */
export const ARCHIVE = 'images.tar';
const READY = '--timeout=180s';

/** Brings the programs of a node; returns the folder of the plugins of its network. */
export async function installNode(log: (line: string) => void): Promise<string> {
  await installKubernetes([...PROGRAMS, ...OF_NODE], log);
  return path.join(await debianPrograms('cni-plugins-1', PLUGINS, log), 'usr/lib/cni');
}

/** What a node is started with. */
interface Surroundings {
  /** Absolute; its files, and before it starts the images. */
  folder: string;
  plane: ControlPlane;
  files: DockerFiles;
  /** The environment in which the programs of the engine find each other. */
  env: NodeJS.ProcessEnv;
  supervisor: Supervisor;
  log: (line: string) => void;
}

/** A running node. */
export interface Node {
  /** Runs a container beside the cluster, with the network of the node. `words` are options, an image, and a command. */
  runBeside: (name: string, words: string[]) => Promise<void>;
}

/**
 * Starts a node with images in the namespaces of this process: containerd, the kubelet, the controllers, the scheduler and the proxy of
 * Services. It has no DNS, and enforces no NetworkPolicy.
 */
export async function startNode({ folder, plane, files, env, supervisor, log }: Surroundings): Promise<Node> {
  const socket = path.join(folder, 'containerd.sock');
  writeSettings(folder, socket, await installNode(log));
  const launch = (name: string, bin: string, args: string[], isReady?: () => Promise<boolean>) =>
    supervisor.launch({ name, command: path.join(bin, name), args, env, ...(isReady && { isReady }) });
  const ctr = (...words: string[]) =>
    runCommand(path.join(files.root, 'usr/bin/ctr'), [`--address=${socket}`, '--namespace=k8s.io', ...words]);
  await launch('containerd', files.bin, [`--config=${folder}/containerd.toml`], () => ctr('version').then(() => true));
  await ctr('images', 'import', path.join(folder, ARCHIVE));
  fs.rmSync(path.join(folder, ARCHIVE));
  for (const [name, words] of Object.entries(argumentsOf(folder, plane))) await launch(name, plane.bin, words);
  for (const condition of ['create', 'condition=Ready'])
    await plane.kubectl(['wait', `node/${NODE}`, `--for=${condition}`, READY]);
  return {
    async runBeside(name, words) {
      const image = words.findIndex((each) => !each.startsWith('--'));
      const options = ['--detach', '--net-host', ...words.slice(0, image)];
      await ctr('run', ...options, `docker.io/library/${words[image]}`, name, ...words.slice(image + 1));
    },
  };
}

const argumentsOf = (folder: string, { kubeconfig, keys }: ControlPlane) => {
  const common = [`--kubeconfig=${kubeconfig}`];
  const controller = [...common, '--leader-elect=false', '--secure-port=0'];
  return {
    'kube-controller-manager': [
      ...controller,
      `--service-account-private-key-file=${path.join(keys, 'accounts.key')}`,
      `--root-ca-file=${path.join(keys, 'apiserver.crt')}`,
    ],
    'kube-scheduler': controller,
    'kube-proxy': [
      ...common,
      `--hostname-override=${NODE}`,
      '--proxy-mode=iptables',
      `--cluster-cidr=${PODS}`,
      // Connections are counted for the whole machine, so their limits are left as they are.
      '--conntrack-max-per-core=0',
      '--conntrack-tcp-timeout-established=0',
      '--conntrack-tcp-timeout-close-wait=0',
    ],
    kubelet: [
      ...common,
      `--hostname-override=${NODE}`,
      `--config=${folder}/kubelet.json`,
      `--root-dir=${folder}/kubelet`,
      `--cert-dir=${keys}`,
    ],
  };
};
