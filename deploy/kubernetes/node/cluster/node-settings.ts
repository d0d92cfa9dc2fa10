import fs from 'node:fs';
import path from 'node:path';
import { PAUSE } from '../../../containers/images/base-images.ts';

/** The name of the node. */
export const NODE = 'node';
/** The addresses of its pods. */
export const PODS = '172.30.99.0/24';

/** Writes what containerd, the kubelet and the pods' network read. */
export function writeSettings(folder: string, socket: string, plugins: string) {
  const network = path.join(folder, 'network');
  fs.mkdirSync(network, { recursive: true });
  // Each pod has a link of its own: what a pod sends to a Service and what comes back both pass the machine, which translates them.
  const link = {
    type: 'ptp',
    ipMasq: true,
    ipam: { type: 'host-local', subnet: PODS, routes: [{ dst: '0.0.0.0/0' }] },
  };
  const list = { cniVersion: '0.4.0', name: 'swim', plugins: [link] };
  fs.writeFileSync(path.join(network, '10-swim.conflist'), JSON.stringify(list));
  fs.writeFileSync(path.join(folder, 'containerd.toml'), containerdSettings(folder, socket, plugins));
  fs.writeFileSync(path.join(folder, 'kubelet.json'), JSON.stringify(kubeletSettings(folder, socket)));
}

const containerdSettings = (folder: string, socket: string, plugins: string) => `version = 2
root = "${folder}/containers"
state = "${folder}/containers-state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/library/${PAUSE}"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${plugins}"
    conf_dir = "${folder}/network"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;

const kubeletSettings = (folder: string, socket: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  failCgroupV1: false,
  cgroupDriver: 'cgroupfs',
  cgroupsPerQOS: false,
  enforceNodeAllocatable: [],
  containerRuntimeEndpoint: `unix://${socket}`,
  podLogsDir: path.join(folder, 'pod-logs'),
  volumePluginDir: path.join(folder, 'volume-plugins'),
  authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
  authorization: { mode: 'AlwaysAllow' },
  healthzPort: 0,
  readOnlyPort: 0,
  failSwapOn: false,
  protectKernelDefaults: true,
  resolvConf: '',
  clusterDNS: [],
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
});
