import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from '../run-command.mjs';

const PROGRAMS = ['postgres', 'initdb', 'psql'];

/**
 * Makes the unpacked PostgreSQL run from where it lies, with the C library that came with it, whatever the machine has.
 * @param {Record<string, string>} parts as `engineParts` answers them.
 */
export async function relocate(parts) {
  const searched = [
    parts.postgresLib,
    parts.libraries,
    path.join(parts.libraries, 'blas'),
    path.join(parts.libraries, 'lapack'),
  ];
  const programs = PROGRAMS.map((name) => path.join(parts.postgresBin, name));
  const libraries = fs.readdirSync(parts.postgresLib).filter((name) => name.endsWith('.so'));
  await patch(parts, ['--force-rpath', '--set-rpath', searched.join(':'), ...programs]);
  await patch(parts, ['--set-interpreter', parts.loader, ...programs]);
  // A search path of a library's own would win over the one of the program.
  await patch(parts, ['--remove-rpath', ...libraries.map((name) => path.join(parts.postgresLib, name))]);
  // Debian picks between two names of this file in a script that runs at installation.
  const postgis = path.join(parts.extensions, 'postgis.control');
  if (!fs.existsSync(postgis)) fs.symlinkSync('postgis-3.control', postgis);
}

function patch(parts, args) {
  return runCommand(parts.loader, ['--library-path', parts.libraries, parts.patchelf, ...args]);
}
