import fs from 'node:fs';
import path from 'node:path';

const TRIPLETS = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

export const FERRETDB_VERSION = '2.7.0';

/** Version of the whole installation; raise it with any change of the installed files. */
export const ENGINE_VERSION = `ferretdb-${FERRETDB_VERSION}`;

/**
 * Where each part of an installed engine lies.
 * @param {string} folder the engine's folder.
 * @returns {Record<string, any>} absolute paths; those of PostgreSQL once it is unpacked, and `postgres`, its major version.
 * @throws {Error} on a processor or system for which there is no engine.
 */
export function enginePaths(folder) {
  const machine = TRIPLETS[process.arch];
  if (process.platform !== 'linux' || !machine) {
    throw new Error(`the offline engine is for Linux on x64 or arm64, this is ${process.platform} on ${process.arch}`);
  }
  const root = path.join(folder, 'root');
  const libraries = path.join(root, 'usr/lib', machine.triplet);
  return {
    folder,
    root,
    libraries,
    loader: path.join(libraries, machine.loader),
    patchelf: path.join(root, 'usr/bin/patchelf'),
    bin: path.join(folder, 'bin'),
    ferretdb: path.join(folder, 'bin/ferretdb'),
    downloads: path.join(folder, 'downloads'),
    complete: path.join(folder, '.complete'),
    ...postgresPaths(root),
  };
}

// The version depends on the packages that were available at the set-up.
function postgresPaths(root) {
  const versions = path.join(root, 'usr/lib/postgresql');
  if (!fs.existsSync(versions)) return {};
  const [postgres] = fs.readdirSync(versions);
  return {
    postgres,
    postgresBin: path.join(versions, postgres, 'bin'),
    postgresLib: path.join(versions, postgres, 'lib'),
    extensions: path.join(root, 'usr/share/postgresql', postgres, 'extension'),
  };
}
