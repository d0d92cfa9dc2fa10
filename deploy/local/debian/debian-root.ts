import path from 'node:path';
import { runCommand } from '../../system/processes/run-command.mjs';

const TRIPLETS: Partial<Record<NodeJS.Architecture, { triplet: string; loader: string }>> = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/** A folder into which Debian packages are unpacked, the C library among them; absolute paths. */
export interface DebianRoot {
  root: string;
  libraries: string;
  loader: string;
  patchelf: string;
}

/**
 * @returns the paths of the parts of unpacked packages, which need not exist yet.
 * @throws on a processor or system whose programs are not unpacked here.
 */
export function debianRoot(root: string): DebianRoot {
  const machine = TRIPLETS[process.arch];
  if (process.platform !== 'linux' || !machine) {
    throw new Error(
      `Debian's packages are unpacked on Linux on x64 or arm64, this is ${process.platform} on ${process.arch}`,
    );
  }
  const libraries = path.join(root, 'usr/lib', machine.triplet);
  return {
    root,
    libraries,
    loader: path.join(libraries, machine.loader),
    patchelf: path.join(root, 'usr/bin/patchelf'),
  };
}

/** Runs patchelf, which must be among the unpacked packages, on programs of the folder. */
export async function patchPrograms({ libraries, loader, patchelf }: DebianRoot, args: string[]): Promise<void> {
  await runCommand(loader, ['--library-path', libraries, patchelf, ...args]);
}
