import fs from 'node:fs';
import path from 'node:path';

const ALL = '/sys/fs/cgroup';
/** The group that containerd makes for its containers, in the hierarchy of each controller. */
const OF_CONTAINERD = 'k8s.io';
/** That of sixteen processes: one for each pod. */
const SHARES = 16 * 1024;

/** Lets the containers share the processors with other programs of the machine: their group would weigh no more than one process. */
export function weighContainers() {
  const folder = path.join(ALL, 'cpu', OF_CONTAINERD);
  if (!fs.existsSync(path.dirname(folder))) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'cpu.shares'), String(SHARES));
}

/** Removes the groups that remain when the containers have ended with their namespace; one that is in use cannot be removed. */
export function removeControlGroups() {
  for (const controller of fs.readdirSync(ALL)) {
    const folder = path.join(ALL, controller, OF_CONTAINERD);
    if (!fs.existsSync(folder)) continue;
    for (const each of fs.readdirSync(folder, { withFileTypes: true }))
      if (each.isDirectory()) tryToRemove(path.join(folder, each.name));
    tryToRemove(folder);
  }
}

function tryToRemove(folder: string) {
  try {
    fs.rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
  }
}
