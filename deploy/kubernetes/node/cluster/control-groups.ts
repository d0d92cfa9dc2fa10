import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../../../system/processes/ports.ts';

const ALL = '/sys/fs/cgroup';
/** The group that containerd makes for its containers, in the hierarchy of each controller. */
const OF_CONTAINERD = 'k8s.io';
/** That of sixteen processes: one for each pod. */
const SHARES = 16 * 1024;
const FIRST_WITHIN_MS = 60_000;

/**
 * Lets the containers share the processors with other programs of the machine: their group would weigh no more than one process. The first
 * container makes the group; one without containers is removed.
 */
export async function weighContainers(): Promise<void> {
  const file = path.join(ALL, 'cpu', OF_CONTAINERD, 'cpu.shares');
  const isThere = await waitUntil(async () => fs.existsSync(file), FIRST_WITHIN_MS);
  if (isThere) fs.writeFileSync(file, String(SHARES));
}

/** Removes the groups that remain when the containers have ended with their namespace; one that is in use cannot be removed. */
export function removeControlGroups() {
  if (!fs.existsSync(ALL)) return;
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
  } catch {
    // Another program uses it.
  }
}
