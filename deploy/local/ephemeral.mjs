import path from 'node:path';
import { makeStreams } from '../bus/make-streams.mjs';
import { resolveNats } from '../bus/nats.mjs';
import { endOrphanProcesses, ownerMark } from '../system/orphan-processes.mjs';
import { ROOT } from '../system/paths.mjs';
import { createSupervisor } from '../system/supervisor.mjs';
import { temporaryFolder } from '../system/temporary-folder.mjs';
import { resolveDatabase } from './engine/resolve-database.mjs';

/**
 * A database, and a NATS server where asked, for one run of tests or measurements; the data is gone afterwards.
 * @param {(line: string) => void} log
 * @returns {{
 *   start: (options?: {withNats?: boolean}) => Promise<{mongodbUri: string, natsUrl?: string}>,
 *   processes: () => {name: string, pid: number}[],
 *   stop: () => Promise<void>,
 * }} `start` rejects when one of them cannot be had; `processes` are the servers that it started; `stop` may be called at any
 *   time.
 */
export function createEphemeral(log) {
  const { folder, remove } = temporaryFolder();
  const supervisor = createSupervisor({ logFolder: path.join(folder, 'logs'), log, env: ownerMark(ROOT) });

  async function start({ withNats = false } = {}) {
    await endOrphanProcesses(ROOT, log);
    const database = await resolveDatabase({ dataDir: folder, log, supervisor });
    if (!withNats) return { mongodbUri: database.uri };
    const nats = await resolveNats({ dataDir: folder, log, supervisor });
    await makeStreams(nats.url);
    return { mongodbUri: database.uri, natsUrl: nats.url };
  }

  async function stop() {
    supervisor.close();
    await supervisor.stop().finally(remove);
  }

  return { start, processes: () => supervisor.processes(), stop };
}
