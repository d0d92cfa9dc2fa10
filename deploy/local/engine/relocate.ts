import fs from 'node:fs';
import path from 'node:path';
import { patchPrograms } from '../debian/debian-root.ts';
import type { InstalledPaths } from './engine-paths.ts';

const PROGRAMS = ['postgres', 'initdb', 'psql'];

/** Makes the unpacked PostgreSQL run from its folder, with its own C library instead of the machine's. */
export async function relocate(paths: InstalledPaths) {
  const searched = [
    paths.postgresLib,
    paths.libraries,
    path.join(paths.libraries, 'blas'),
    path.join(paths.libraries, 'lapack'),
  ];
  const programs = PROGRAMS.map((name) => path.join(paths.postgresBin, name));
  const libraries = fs.readdirSync(paths.postgresLib).filter((name) => name.endsWith('.so'));
  await patchPrograms(paths, ['--force-rpath', '--set-rpath', searched.join(':'), ...programs]);
  await patchPrograms(paths, ['--set-interpreter', paths.loader, ...programs]);
  // The search path of a library would take precedence over that of the program.
  await patchPrograms(paths, ['--remove-rpath', ...libraries.map((name) => path.join(paths.postgresLib, name))]);
  // Debian picks between two names of this file in a script that runs at installation.
  const postgis = path.join(paths.extensions, 'postgis.control');
  if (!fs.existsSync(postgis)) fs.symlinkSync('postgis-3.control', postgis);
}
