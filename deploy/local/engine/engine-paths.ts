import fs from 'node:fs';
import path from 'node:path';
import { type DebianRoot, debianRoot } from '../debian/debian-root.ts';

export const FERRETDB_VERSION = '2.7.0';

/** Version of the whole installation; raise it with any change of the installed files. */
export const ENGINE_VERSION = `ferretdb-${FERRETDB_VERSION}`;

export interface EnginePaths extends DebianRoot {
  folder: string;
  bin: string;
  ferretdb: string;
  downloads: string;
  complete: string;
}

/** The paths of PostgreSQL are known once its packages are unpacked. */
export interface InstalledPaths extends EnginePaths {
  /** The major version of PostgreSQL. */
  postgres: string;
  postgresBin: string;
  postgresLib: string;
  extensions: string;
}

/**
 * @param folder - the engine's folder.
 * @returns the paths of its parts, which need not exist yet.
 * @throws on a processor or system for which there is no engine.
 */
export function enginePaths(folder: string): EnginePaths {
  return {
    ...debianRoot(path.join(folder, 'root')),
    folder,
    bin: path.join(folder, 'bin'),
    ferretdb: path.join(folder, 'bin/ferretdb'),
    downloads: path.join(folder, 'downloads'),
    complete: path.join(folder, '.complete'),
  };
}

/**
 * Adds the paths of PostgreSQL. Its version depends on the packages that were available at the set-up.
 * @throws when no PostgreSQL has been unpacked.
 */
export function installedPaths(paths: EnginePaths): InstalledPaths {
  const versions = path.join(paths.root, 'usr/lib/postgresql');
  const [postgres] = fs.readdirSync(versions);
  if (!postgres) throw new Error(`${versions} holds no PostgreSQL`);
  return {
    ...paths,
    postgres,
    postgresBin: path.join(versions, postgres, 'bin'),
    postgresLib: path.join(versions, postgres, 'lib'),
    extensions: path.join(paths.root, 'usr/share/postgresql', postgres, 'extension'),
  };
}
