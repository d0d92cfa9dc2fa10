import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { findOnPath } from '../../system/files/find-on-path.mjs';
import type { DockerFiles } from './install-docker.ts';

/** What a machine needs for namespaces of its own, beside what is unpacked. */
const NEEDED = ['unshare', 'mount', 'ip'];

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
 * @param command - the program and its arguments. It waits for the interface `tap0`.
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
