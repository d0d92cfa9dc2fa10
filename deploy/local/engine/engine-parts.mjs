import path from 'node:path';

const TRIPLETS = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

export const FERRETDB_VERSION = '2.7.0';
const POSTGRES_VERSION = '18';

/** Names the whole set of parts; change it whenever what is installed, or how, changes. */
export const ENGINE_VERSION = `ferretdb-${FERRETDB_VERSION}-postgres-${POSTGRES_VERSION}`;

/**
 * Where each part of an installed engine lies.
 * @param {string} folder the engine's folder.
 * @returns {Record<string, string>} absolute paths.
 * @throws {Error} on a processor or system for which there is no engine.
 */
export function engineParts(folder) {
  const machine = TRIPLETS[process.arch];
  if (process.platform !== 'linux' || !machine) {
    throw new Error(`the offline engine is for Linux on x64 or arm64, this is ${process.platform} on ${process.arch}`);
  }
  const root = path.join(folder, 'root');
  const postgres = path.join(root, 'usr/lib/postgresql', POSTGRES_VERSION);
  const libraries = path.join(root, 'usr/lib', machine.triplet);
  return {
    folder,
    root,
    libraries,
    postgresBin: path.join(postgres, 'bin'),
    postgresLib: path.join(postgres, 'lib'),
    extensions: path.join(root, 'usr/share/postgresql', POSTGRES_VERSION, 'extension'),
    loader: path.join(libraries, machine.loader),
    patchelf: path.join(root, 'usr/bin/patchelf'),
    go: path.join(root, 'usr/lib/go-1.26'),
    goSources: path.join(root, 'usr/share/go-1.26'),
    bin: path.join(folder, 'bin'),
    ferretdb: path.join(folder, 'bin/ferretdb'),
    downloads: path.join(folder, 'downloads'),
    complete: path.join(folder, '.complete'),
  };
}
