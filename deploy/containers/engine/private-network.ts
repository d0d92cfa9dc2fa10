import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOnPath } from '../../system/files/find-on-path.mjs';
import { waitUntil } from '../../system/processes/ports.ts';
import { runCommand } from '../../system/processes/run-command.mjs';
import type { DockerFiles } from './install-docker.ts';

/** What a machine needs for namespaces of its own, beside what is unpacked. */
const NEEDED = ['unshare', 'mount', 'ip'];

const UP_WITHIN_MS = 60_000;
/** The resolver of the user-mode network stack, which asks the machine's. */
const RESOLVER = 'nameserver 10.0.2.3\n';

/** @returns why containers cannot run on this machine; null where they can. */
export function whyNoContainers(): string | null {
  if (process.platform !== 'linux') return `containers of Linux need Linux, and this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'an engine for containers is started by root, and this is another user';
  const missing = NEEDED.filter((name) => !findOnPath(name));
  if (missing.length > 0) return `this machine lacks ${missing.join(', ')}`;
  if (!fs.existsSync('/dev/net/tun'))
    return 'there is no /dev/net/tun, by which the containers would reach the registries';
  if (!fs.readFileSync('/proc/filesystems', 'utf8').includes('overlay'))
    return 'its kernel has no overlay file systems';
  return null;
}

/**
 * Runs a program in namespaces of its own for network, mounts and processes: the engine's bridges, forwarding and firewall are not those
 * of the machine, and all of its processes end with the program. Its way out is a user-mode network stack.
 * @param command - the program and its arguments. It calls `enterPrivateNetwork` first.
 * @returns its exit code.
 */
export async function runInPrivateNetwork(
  docker: DockerFiles,
  command: string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const words = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // The first process of a namespace has to reap those that lose their parents.
  const init = [`${docker.root}/usr/bin/tini-static`, '--'];
  const program = spawn('unshare', [...words, ...init, ...command], { stdio: 'inherit', env });
  const ended = once(program, 'exit');
  const wayOut = connect(docker, program);
  // unshare itself ignores signals: they are for the first process of the namespace.
  const forward = (signal: NodeJS.Signals) => childOf(program.pid).forEach((pid) => process.kill(pid, signal));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward);
  try {
    const [code] = (await ended) as [number | null];
    return code ?? 1;
  } finally {
    wayOut.kill();
  }
}

/**
 * Waits, in these namespaces, until the network is up, and hides /run, where sockets and locks of the machine's own programs lie; its
 * resolver is not reached from this network.
 */
export async function enterPrivateNetwork(): Promise<void> {
  if (!(await waitUntil(async () => 'tap0' in os.networkInterfaces(), UP_WITHIN_MS)))
    throw new Error('the network of the containers did not come up');
  await runCommand('mount', ['-t', 'tmpfs', 'tmpfs', '/run']);
  fs.writeFileSync('/run/resolv.conf', RESOLVER);
  if (fs.existsSync('/etc/resolv.conf')) await runCommand('mount', ['--bind', '/run/resolv.conf', '/etc/resolv.conf']);
  else {
    const target = path.resolve('/etc', fs.readlinkSync('/etc/resolv.conf'));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, RESOLVER);
  }
}

function childOf(pid: number | undefined): number[] {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children ? children.split(' ').map(Number) : [];
}

function connect({ root }: DockerFiles, program: ChildProcess) {
  const words = ['--configure', '--mtu=65520', '--netns-type=path', `/proc/${program.pid}/ns/net`, 'tap0'];
  return spawn('sh', ['-c', WHEN_APART, 'sh', String(program.pid), `${root}/usr/bin/slirp4netns`, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Waits until the process has left the machine's network. */
const WHEN_APART = `
  pid=$1; shift
  while [ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
  exec "$@"`;
