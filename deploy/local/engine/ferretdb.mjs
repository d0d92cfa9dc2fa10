import { accepts } from '../../system/ports.mjs';

/**
 * Describes the FerretDB process, which serves MongoDB's protocol on top of PostgreSQL.
 * @param {object} options
 * @param {Record<string, string>} options.paths as `enginePaths` returns them.
 * @param {string} options.folder for its own state; belongs to `user`.
 * @param {{uid: number, gid: number}|null} options.user whom it runs as.
 * @param {number} options.port where it listens, on 127.0.0.1.
 * @param {number} options.postgresPort
 * @returns {import('../../system/supervisor.mjs').ProcessDescription} a description as `createSupervisor` takes it.
 */
export function ferretdbProcess({ paths, folder, user, port, postgresPort }) {
  return {
    name: 'ferretdb',
    command: paths.ferretdb,
    args: [
      '--no-auth',
      '--telemetry=disable',
      '--debug-addr=-',
      '--log-level=WARN',
      '--state-dir',
      folder,
      '--listen-addr',
      `127.0.0.1:${port}`,
      '--postgresql-url',
      `postgres://postgres@127.0.0.1:${postgresPort}/postgres?pool_max_conns=32`,
    ],
    cwd: folder,
    ...user,
    isReady: () => accepts(port),
  };
}
