import path from 'node:path';
import { debianPrograms } from '../local/debian/debian-programs.ts';
import { findOnPath } from '../system/files/find-on-path.mjs';

const PACKAGES = ['prometheus', 'promtool'] as const;

/** Finds Prometheus and its tool: on PATH, else Debian's in the cache folder. */
export async function findPrometheus(log: (line: string) => void): Promise<Record<'prometheus' | 'promtool', string>> {
  const [prometheus, promtool] = PACKAGES.map((name) => findOnPath(name));
  if (prometheus && promtool) return { prometheus, promtool };
  const folder = await debianPrograms('prometheus-2.53', { packages: PACKAGES, release: 'trixie' }, log);
  const bin = path.join(folder, 'usr/bin');
  return { prometheus: path.join(bin, 'prometheus'), promtool: path.join(bin, 'promtool') };
}
