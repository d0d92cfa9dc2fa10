import os from 'node:os';
import type { DatabaseUser } from '../../system/files/unprivileged-user.ts';
import { accepts } from '../../system/processes/ports.ts';
import type { ProcessDescription } from '../../system/processes/supervised-process.ts';
import type { InstalledPaths } from './engine-paths.ts';

export interface FerretdbProcessOptions {
  paths: InstalledPaths;
  /** For its own state; belongs to `user`. */
  folder: string;
  /** Whom it runs as. */
  user: DatabaseUser | null;
  /** Where it listens, on 127.0.0.1. */
  port: number;
  postgresPort: number;
  /** Password of PostgreSQL's user, who is FerretDB's as well. */
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
    // Its heap is a few megabytes, of which the default collects the garbage hundreds of times a second under load. With as many
    // threads as processors, they wake each other for a fifth of its processor time.
    env: {
      GOGC: '400',
      GOMAXPROCS: String(Math.ceil(os.availableParallelism() / 2)),
      // Everybody on the machine can read the arguments of a process, but not its environment.
      FERRETDB_POSTGRESQL_URL: `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgresPort}/postgres?pool_max_conns=32`,
    },
    ...user,
    isReady: () => accepts(port),
  };
}
