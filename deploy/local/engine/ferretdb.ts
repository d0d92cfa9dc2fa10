import os from 'node:os';
import type { DatabaseUser } from '../../system/files/unprivileged-user.ts';
import { accepts } from '../../system/processes/ports.ts';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';
import type { InstalledPaths } from './engine-paths.ts';

export interface FerretdbProcessOptions {
  paths: InstalledPaths;
  /** FerretDB keeps its own state here; the folder belongs to `user`. */
  folder: string;
  /** The user that runs FerretDB; null for the current one. */
  user: DatabaseUser | null;
  /** The port on 127.0.0.1. */
  port: number;
  postgresPort: number;
  /** The password of PostgreSQL's user, which is also that of FerretDB. */
  password: string;
}

/** Describes the FerretDB process, which serves MongoDB's protocol on top of PostgreSQL, to a supervisor. */
export function ferretdbProcess({
  paths,
  folder,
  user,
  port,
  postgresPort,
  password,
}: FerretdbProcessOptions): ProcessDescription {
  return {
    name: 'ferretdb',
    command: paths.ferretdb,
    args: [
      '--telemetry=disable',
      '--debug-addr=-',
      '--log-level=WARN',
      '--state-dir',
      folder,
      '--listen-addr',
      `127.0.0.1:${port}`,
    ],
    cwd: folder,
    // The heap is a few megabytes, for which the default of GOGC collects garbage hundreds of times a second under
    // load. With as many threads as processors, the threads spend a fifth of the processor time on waking each other.
    env: {
      GOGC: '400',
      GOMAXPROCS: String(Math.ceil(os.availableParallelism() / 2)),
      // Every user of the machine can read the arguments of a process, but not its environment.
      FERRETDB_POSTGRESQL_URL: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgresPort}/postgres?pool_max_conns=32`,
    },
    ...user,
    isReady: () => accepts(port),
  };
}
